/** Faults of the token endpoint, for both grants and for refreshing only. */
import { presentedClient } from '../clients/presented-client.ts'
import { json, empty, text } from '../http/reply.ts'
import { headerText, type Fault, type FaultTable, type Situation } from './fault.ts'
import { markup } from './markup.ts'

type Answer = NonNullable<Fault['answer']>
type Alter = NonNullable<Fault['alter']>

const answering = (description: string, section: string, answer: Answer): Fault => ({
  endpoint: 'token',
  description,
  section,
  answer,
})

const altering = (description: string, section: string, alter: Alter): Fault => ({
  endpoint: 'token',
  description,
  section,
  alter,
})

/** The named member is changed, or left out when `change` returns undefined. */
const changing = (name: string, change: (value: unknown) => unknown): Alter => {
  return (reply) => ({ ...reply, json: { ...reply.json, [name]: change(reply.json?.[name]) } })
}

const error = (code: string): Fault =>
  answering(`refuses with the error ${code}`, 'RFC 6749 §5.2', () => refusal(code))

const refusal = (code: string, description = 'The mock provider was told to refuse') =>
  json({ error: code, error_description: description }, code === 'invalid_client' ? 401 : 400)

const failure = (status: number) => text('The mock provider was told to fail', 'text/plain', status)

/** Refuses with a text that contains what a careless server would put there. */
const echoing = (what: string, find: (situation: Situation) => string | undefined): Fault =>
  answering(`refuses with an error text that contains the ${what}`, 'RFC 6749 §10.3', (situation) =>
    refusal('invalid_grant', `Not accepted: ${find(situation) ?? `no ${what} was sent`}`),
  )

export const tokenFaults = {
  'token-error-invalid_request': error('invalid_request'),
  'token-error-invalid_client': error('invalid_client'),
  'token-error-invalid_grant': error('invalid_grant'),
  'token-error-unauthorized_client': error('unauthorized_client'),
  'token-error-unsupported_grant_type': error('unsupported_grant_type'),
  'token-error-invalid_scope': error('invalid_scope'),
  'token-error-500': answering('fails with 500', 'RFC 9110 §15.6.1', () => failure(500)),
  'token-error-503': answering('is unavailable', 'RFC 9110 §15.6.4', () => ({
    ...failure(503),
    headers: { ...failure(503).headers, 'retry-after': '1' },
  })),
  'token-hang': {
    endpoint: 'token',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'token-connection-closed': {
    endpoint: 'token',
    description: 'closes the connection instead of answering',
    disconnect: true,
  },
  'token-lost-response': {
    endpoint: 'token',
    description: 'does what is asked, then closes the connection instead of answering',
    lose: true,
  },
  'token-redirect': answering(
    'redirects the token request with its credentials (value: the location)',
    'RFC 9700 §4.12',
    ({ issuer, value }) => empty(307, { location: headerText(value) ?? `${issuer}/token/moved` }),
  ),
  'token-error-with-200': answering(
    'reports its error with status 200, as GitHub does',
    'RFC 6749 §5.2',
    () => ({ ...refusal('invalid_grant'), status: 200 }),
  ),
  'token-error-echoes-code': echoing(
    'code or refresh token',
    ({ form }) => form.get('code') ?? form.get('refresh_token'),
  ),
  'token-error-echoes-client-secret': echoing(
    'client secret',
    ({ headers, form }) => presentedClient(headers, form).secret,
  ),
  'token-error-echoes-code-verifier': echoing('code verifier', ({ form }) =>
    form.get('code_verifier'),
  ),

  'token-error-markup': answering(
    'refuses with an error_description that contains markup (value: the text)',
    'RFC 6749 §5.2',
    ({ value }) => refusal('invalid_grant', value ?? markup),
  ),

  'token-truncated-json': altering('ends in the middle of its JSON', 'RFC 6749 §5.1', (reply) => ({
    ...reply,
    text: JSON.stringify(reply.json).slice(0, -12),
  })),
  'token-html': altering('answers 200 with an HTML page', 'RFC 6749 §5.1', () =>
    text('<!doctype html><title>Maintenance</title><h1>Back soon</h1>', 'text/html'),
  ),
  'token-empty-body': altering('answers 200 without a body', 'RFC 6749 §5.1', () => empty(200)),
  'token-wrong-content-type': altering(
    'sends its JSON as text/plain',
    'RFC 6749 §5.1',
    (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }),
  ),
  'token-form-encoded': altering(
    'answers form-encoded instead of JSON, as GitHub does',
    'RFC 6749 §5.1',
    (reply) =>
      text(
        new URLSearchParams(
          Object.entries(reply.json ?? {})
            .filter(([, value]) => value !== undefined)
            .map(([name, value]): [string, string] => [name, String(value)]),
        ).toString(),
        'application/x-www-form-urlencoded',
      ),
  ),
  'token-without-access-token': altering(
    'leaves access_token out',
    'RFC 6749 §5.1',
    changing('access_token', () => undefined),
  ),
  'token-null-access-token': altering(
    'has a null access_token',
    'RFC 6749 §5.1',
    changing('access_token', () => null),
  ),
  'token-empty-access-token': altering(
    'has an empty access_token',
    'RFC 6749 §5.1',
    changing('access_token', () => ''),
  ),
  'token-numeric-access-token': altering(
    'has a number as access_token (value: which)',
    'RFC 6749 §5.1',
    (reply, { value }) => ({
      ...reply,
      json: { ...reply.json, access_token: Number(value ?? 1234567890) },
    }),
  ),
  'token-forbidden': altering(
    'answers 403, with the token inside',
    'RFC 6749 §5.1: a token comes with 200',
    (reply) => ({ ...reply, status: 403 }),
  ),
  'token-without-expires-in': altering(
    'leaves expires_in out',
    'RFC 6749 §5.1',
    changing('expires_in', () => undefined),
  ),
  'token-expires-in-too-long': altering(
    'promises ten times the lifetime that the token has (value: the promised seconds)',
    'RFC 6749 §5.1',
    (reply, { value }) => {
      const real = Number(reply.json?.['expires_in'])
      return { ...reply, json: { ...reply.json, expires_in: Number(value ?? real * 10) } }
    },
  ),
  'token-expires-in-too-short': altering(
    'promises a lifetime of one second',
    'RFC 6749 §5.1',
    changing('expires_in', () => 1),
  ),
  'token-expires-in-zero': altering(
    'promises a lifetime of zero seconds',
    'RFC 6749 §5.1',
    changing('expires_in', () => 0),
  ),
  'token-expires-in-string': altering(
    'sends expires_in as a string, as Microsoft does',
    'RFC 6749 §5.1',
    changing('expires_in', String),
  ),
  'token-lower-case-bearer': altering(
    'spells the token type in lower case, as GitHub does',
    'RFC 6749 §5.1: the value is case insensitive',
    changing('token_type', (type) => String(type).toLowerCase()),
  ),
  'token-upper-case-bearer': altering(
    'spells the token type in upper case',
    'RFC 6749 §5.1: the value is case insensitive',
    changing('token_type', (type) => String(type).toUpperCase()),
  ),
  'token-without-token-type': altering(
    'leaves token_type out, as WeChat does',
    'RFC 6749 §5.1',
    changing('token_type', () => undefined),
  ),
  'token-unknown-token-type': altering(
    'names an unknown token type',
    'RFC 6749 §7.1: a client must not use it',
    changing('token_type', () => 'unheard-of'),
  ),
  'token-scope-array': altering(
    'sends the scope as an array, as Twitch does',
    'RFC 6749 §5.1',
    changing('scope', (scope) => String(scope).split(' ')),
  ),
  'token-null-refresh-token': altering(
    'has a null refresh_token, as Notion does',
    'RFC 6749 §5.1',
    changing('refresh_token', () => null),
  ),
  'token-extra-members': altering(
    'adds members that no RFC defines',
    'RFC 6749 §5.1: unrecognized value names are ignored',
    (reply) => ({
      ...reply,
      json: {
        ...reply.json,
        workspace: { id: 'w-1', members: [1, 2, 3] },
        ok: true,
      },
    }),
  ),

  'refresh-error-invalid_grant': { ...error('invalid_grant'), grant: 'refresh_token' },
  'refresh-error-500': {
    ...answering('fails with 500', 'RFC 9110 §15.6.1', () => failure(500)),
    grant: 'refresh_token',
  },
  'refresh-hang': {
    endpoint: 'token',
    description: 'holds the refresh back until it is released',
    grant: 'refresh_token',
    hold: true,
  },
  'refresh-lost-response': {
    endpoint: 'token',
    description: 'rotates the refresh token, then closes the connection instead of answering',
    section: 'RFC 9700 §4.14.2',
    grant: 'refresh_token',
    lose: true,
  },
  'refresh-grace-window': {
    endpoint: 'token',
    description: 'accepts a rotated refresh token for a while (value: seconds; default 10)',
    section: 'RFC 9700 §4.14.2',
    grant: 'refresh_token',
    acceptRotated: ({ age, value }) => age < Number(value ?? 10) * 1000,
  },
  'refresh-previous-until-successor-used': {
    endpoint: 'token',
    description: 'accepts a rotated refresh token until its successor was used',
    section: 'RFC 9700 §4.14.2',
    grant: 'refresh_token',
    acceptRotated: ({ successorUsed }) => !successorUsed,
  },
  'refresh-without-rotation': {
    endpoint: 'token',
    description: 'issues no new refresh token; the one that was presented stays valid',
    section: 'RFC 6749 §6',
    grant: 'refresh_token',
    keepRefreshToken: true,
  },
} as const satisfies FaultTable
