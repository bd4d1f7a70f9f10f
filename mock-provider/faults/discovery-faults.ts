/** Faults of the issuer's metadata. They concern every client, so they are switched for the issuer. */
import { empty, text } from '../http/reply.ts'
import { headerText, type FaultTable, type Situation } from './fault.ts'

const notFound = () => text('Not found', 'text/plain', 404)

/** Has no document of one kind; those of the other kind stay. */
const absent =
  (name: string) =>
  ({ path }: Situation) =>
    path.includes(`/.well-known/${name}`) ? notFound() : undefined

export const discoveryFaults = {
  'discovery-http-authorization-endpoint': {
    endpoint: 'discovery',
    description: 'advertises an authorization endpoint without TLS',
    section: 'RFC 6749 §3.1',
    alter: (reply) => ({
      ...reply,
      json: {
        ...reply.json,
        authorization_endpoint: String(reply.json?.['authorization_endpoint']).replace(
          /^https:/,
          'http:',
        ),
      },
    }),
  },
  'discovery-http-token-endpoint': {
    endpoint: 'discovery',
    description: 'advertises a token endpoint without TLS',
    section: 'RFC 6749 §3.2',
    alter: (reply) => ({
      ...reply,
      json: {
        ...reply.json,
        token_endpoint: String(reply.json?.['token_endpoint']).replace(/^https:/, 'http:'),
      },
    }),
  },
  'discovery-authorization-endpoint-of-another': {
    endpoint: 'discovery',
    description: 'sends users to another issuer, as in a mix-up attack (value: its endpoint)',
    section: 'RFC 9700 §4.4',
    alter: (reply, { value }) => ({
      ...reply,
      json: {
        ...reply.json,
        authorization_endpoint: value ?? 'https://another-issuer.example/authorize',
      },
    }),
  },
  'discovery-token-endpoint-of-another': {
    endpoint: 'discovery',
    description: 'sends codes to another issuer, as in a mix-up attack (value: its endpoint)',
    section: 'RFC 9700 §4.4',
    alter: (reply, { value }) => ({
      ...reply,
      json: { ...reply.json, token_endpoint: value ?? 'https://another-issuer.example/token' },
    }),
  },
  'discovery-connection-closed': {
    endpoint: 'discovery',
    description: 'closes the connection instead of answering',
    disconnect: true,
  },
  'discovery-truncated-json': {
    endpoint: 'discovery',
    description: 'ends in the middle of its JSON',
    section: 'RFC 8414 §3.2',
    alter: (reply) => ({ ...reply, text: JSON.stringify(reply.json).slice(0, -12) }),
  },
  'discovery-html': {
    endpoint: 'discovery',
    description: 'answers 200 with an HTML page',
    section: 'RFC 8414 §3.2',
    answer: () => text('<!doctype html><title>Maintenance</title>', 'text/html'),
  },
  'discovery-hang': {
    endpoint: 'discovery',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'discovery-error-500': {
    endpoint: 'discovery',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'discovery-without-oauth-metadata': {
    endpoint: 'discovery',
    description: 'has no OAuth 2.0 Authorization Server Metadata, only that of OpenID Connect',
    section: 'RFC 8414 §5',
    answer: absent('oauth-authorization-server'),
  },
  'discovery-without-openid-metadata': {
    endpoint: 'discovery',
    description: 'has no OpenID Connect Discovery, only OAuth 2.0 Authorization Server Metadata',
    section: 'RFC 8414 §3',
    answer: absent('openid-configuration'),
  },
  'discovery-at-one-place': {
    endpoint: 'discovery',
    description: 'has its metadata at one path, and nowhere else (value: that path)',
    section: 'RFC 8414 §3.1, §5',
    answer: ({ path, value = '/.well-known/oauth-authorization-server' }) =>
      path === value ? undefined : notFound(),
  },
  'discovery-redirect': {
    endpoint: 'discovery',
    description: 'redirects whoever asks for its metadata (value: the location)',
    section: 'RFC 8414 §3.2',
    answer: ({ issuer, value }) =>
      empty(302, { location: headerText(value) ?? `${issuer}/moved-metadata` }),
  },
  'discovery-without-pkce': {
    endpoint: 'discovery',
    description: 'does not say that it supports PKCE',
    section: 'RFC 8414 §2',
    alter: (reply) => ({
      ...reply,
      json: { ...reply.json, code_challenge_methods_supported: undefined },
    }),
  },
  'discovery-pkce-by-no-method': {
    endpoint: 'discovery',
    description: 'has an empty list of the methods of PKCE that it supports',
    section: 'RFC 8414 §2, §3.2',
    alter: (reply) => ({
      ...reply,
      json: { ...reply.json, code_challenge_methods_supported: [] },
    }),
  },
  'discovery-without-response-issuer': {
    endpoint: 'discovery',
    description: 'does not say that its authorization responses name the issuer',
    section: 'RFC 9207 §3',
    alter: (reply) => ({
      ...reply,
      json: { ...reply.json, authorization_response_iss_parameter_supported: undefined },
    }),
  },
  'discovery-without-issuer': {
    endpoint: 'discovery',
    description: 'does not name the issuer',
    section: 'RFC 8414 §2, §3.3',
    alter: (reply) => ({ ...reply, json: { ...reply.json, issuer: undefined } }),
  },
  'discovery-issuer-wrong': {
    endpoint: 'discovery',
    description: 'names another issuer than the one it was fetched for (value: that issuer)',
    section: 'RFC 8414 §3.3',
    alter: (reply, { value }) => ({
      ...reply,
      json: { ...reply.json, issuer: value ?? 'https://another-issuer.example' },
    }),
  },
  'discovery-issuer-extended': {
    endpoint: 'discovery',
    description: 'names another issuer of the same origin, whose URL begins with the right one',
    section: 'RFC 8414 §3.3',
    alter: (reply) => ({
      ...reply,
      json: { ...reply.json, issuer: `${String(reply.json?.['issuer'])}/of-another` },
    }),
  },
} as const satisfies FaultTable
