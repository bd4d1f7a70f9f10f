/** Faults of the protected resource. */
import { empty, json, text } from '../http/reply.ts'
import { challenge } from '../resource/bearer-challenge.ts'
import { headerText, type FaultTable } from './fault.ts'

export const resourceFaults = {
  'resource-error-invalid_token': {
    endpoint: 'resource',
    description: 'refuses a token that is valid',
    section: 'RFC 6750 §3.1',
    answer: ({ issuer, resource }) =>
      json(
        { error: 'invalid_token' },
        401,
        challenge(issuer, { error: 'invalid_token', resource }),
      ),
  },
  'resource-error-insufficient_scope': {
    endpoint: 'resource',
    description: 'finds the scope insufficient (value: the scope it asks for)',
    section: 'RFC 6750 §3.1',
    answer: ({ issuer, resource, value }) =>
      json(
        { error: 'insufficient_scope' },
        403,
        challenge(issuer, {
          error: 'insufficient_scope',
          scope: headerText(value) ?? 'items:admin',
          resource,
        }),
      ),
  },
  'resource-error-500': {
    endpoint: 'resource',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'resource-redirect': {
    endpoint: 'resource',
    description: 'redirects the request with its token (value: the location)',
    section: 'RFC 6750 §5.3',
    answer: ({ issuer, value }) =>
      empty(307, { location: headerText(value) ?? `${issuer}/resource/moved` }),
  },
  'resource-hang': {
    endpoint: 'resource',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'resource-connection-closed': {
    endpoint: 'resource',
    description: 'closes the connection instead of answering',
    disconnect: true,
  },
  'resource-success-without-items': {
    endpoint: 'resource',
    description: 'serves a list as that of somebody who has nothing yet',
    section: 'RFC 9110 §15.3.1',
    alter: (reply) =>
      Array.isArray(reply.json?.['items'])
        ? { ...reply, json: { ...reply.json, items: [] } }
        : reply,
  },
  'resource-success-echoes-authorization': {
    endpoint: 'resource',
    description: 'serves the request and repeats the Authorization header in the body',
    section: 'RFC 6750 §5.2',
    alter(reply, { headers }) {
      if (!reply.json) return reply
      const received = { authorization: headers.get('authorization') }
      const { result } = reply.json
      // what an MCP client reads is the result (JSON-RPC 2.0 §5)
      const json =
        typeof result === 'object' && result !== null
          ? { ...reply.json, result: { ...result, received } }
          : { ...reply.json, received }
      return { ...reply, json }
    },
  },
  'resource-error-echoes-authorization': {
    endpoint: 'resource',
    description: 'fails with an error text that contains the Authorization header',
    section: 'RFC 6750 §5.2',
    answer: ({ headers }) =>
      json(
        {
          error: 'server_error',
          error_description: `Upstream refused Authorization: ${headers.get('authorization')}`,
        },
        502,
      ),
  },
} as const satisfies FaultTable
