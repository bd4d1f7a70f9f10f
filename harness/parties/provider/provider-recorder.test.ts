import { beforeEach, describe, expect, test } from 'vitest'
import type { MintedSecret, MockProvider, ProviderEvent } from '../../../mock-provider/index.ts'
import { recordProvider } from './provider-recorder.ts'
import { Recorder } from '../../engine/recording/recorder.ts'
import { SecretLedger } from '../../engine/recording/secrets/ledger.ts'
import { visitHeader } from '../user/user-agent.ts'

const issuer = 'https://provider.test'
const code = 'code_0123456789abcdefghij'
const token = 'token_0123456789abcdefghij'

let ledger: SecretLedger
let log: Recorder
let first: Recorder
let second: Recorder
let listener: (event: ProviderEvent) => void
let mint: (secret: MintedSecret) => void
let seq = 0

const recorderOf = (scenario: string) => new Recorder({ scenario, ledger, now: () => 0 })

function start(name = 'shared', hosts: readonly string[] = []) {
  const provider = {
    issuer,
    secrets: [{ id: 'client_secret-1', kind: 'client_secret', value: 'cs_0123456789abcdefghij' }],
    onSecret: (call: typeof mint) => {
      mint = call
    },
    onEvent: (call: typeof listener) => {
      listener = call
    },
  }
  const records = recordProvider(provider as unknown as MockProvider, {
    ledger,
    log,
    name,
    hosts,
  })
  records.enter(first)
  records.enter(second)
  return records
}

beforeEach(() => {
  ledger = new SecretLedger()
  log = recorderOf('run')
  first = recorderOf('first')
  second = recorderOf('second')
})

/** An event of the provider, with what every event has. */
const logged = (exchange: number, event: Record<string, unknown>) =>
  listener({ seq: ++seq, at: 1, exchange, endpoint: 'token', ...event } as unknown as ProviderEvent)
const request = (exchange: number, more: Record<string, unknown> = {}) =>
  logged(exchange, {
    type: 'request',
    method: 'POST',
    target: '/token?x=1',
    headers: {},
    body: '',
    ...more,
  })
const response = (exchange: number, more: Record<string, unknown> = {}) =>
  logged(exchange, {
    type: 'response',
    status: 200,
    headers: { a: 'b' },
    body: 'é',
    faults: [],
    ...more,
  })
const grant = (exchange: number, more: Record<string, unknown> = {}) =>
  logged(exchange, { type: 'grant', outcome: 'issued', issued: [], ...more })

const visit = (scenario: string, call: string) => ({
  headers: { [visitHeader]: `${scenario}/${call}` },
})
const kinds = (recorder: Recorder) => recorder.transcript().events.map(({ type }) => type)

describe('an exchange at the provider', () => {
  test('is recorded as it was on the wire, without the harness’ own header', () => {
    start()
    request(7, { headers: { [visitHeader]: 'first/call-1', accept: '*/*' }, body: 'a=é' })
    response(7)
    const [asked] = first.transcript().requests('provider', 'call-1')
    expect(asked).toMatchObject({
      exchange: 'p7',
      method: 'POST',
      url: `${issuer}/token?x=1`,
      headers: { accept: '*/*' },
      body: { text: 'a=é', bytes: 4 },
    })
    expect(asked?.headers).not.toHaveProperty(visitHeader)
    expect(asked && first.transcript().answer(asked)).toMatchObject({
      status: 200,
      headers: { a: 'b' },
      body: { text: 'é', bytes: 2 },
    })
  })

  test('is at the host that was asked, and where the mock provider has it', () => {
    start('shared', ['api.provider.test'])
    const at = (exchange: number, endpoint: string, target: string, host: string) =>
      request(exchange, {
        endpoint,
        target,
        headers: { ...visit('first', 'call-1').headers, host },
      })
    at(1, 'token', '/login/oauth/access_token', 'provider.test')
    at(2, 'token', '/token', 'provider.test')
    at(3, 'userinfo', '/user?a=1', 'api.provider.test')
    at(4, 'resource', '/repos', 'api.provider.test')
    at(5, 'resource', '/resource/items', 'elsewhere.test')
    const seen = first.transcript().requests('provider')
    expect(seen.map(({ url, servedAt }) => [url, servedAt])).toEqual([
      [`${issuer}/login/oauth/access_token`, '/token'],
      [`${issuer}/token`, undefined],
      ['https://api.provider.test/user?a=1', '/resource/user'],
      ['https://api.provider.test/repos', '/resource/repos'],
      [`${issuer}/resource/items`, undefined],
    ])
  })

  test('without a body has none', () => {
    start()
    request(1, visit('first', 'call-1'))
    expect(first.transcript().events[0]).not.toHaveProperty('body')
  })

  test('that was closed is a failure that says by whom', () => {
    start()
    request(1, visit('first', 'call-1'))
    logged(1, { type: 'connection', closedBy: 'peer', faults: [] })
    expect(first.transcript().events[1]).toMatchObject({
      type: 'failure',
      code: 'closed',
      message: 'connection closed by the peer',
    })
  })

  test('brings what the provider understood', () => {
    start()
    request(1, visit('first', 'call-1'))
    grant(1, { authorization: 'a-1', presented: 'authorization_code-1' })
    expect(first.transcript().provider('grant', 'call-1')).toMatchObject([
      {
        exchange: 'p1',
        authorization: 'a-1',
        detail: { endpoint: 'token', outcome: 'issued', presented: 'authorization_code-1' },
      },
    ])
    expect(first.transcript().provider('grant')[0]?.detail).not.toHaveProperty('seq')
  })
})

describe('what happens is attributed', () => {
  test('to the scenario and call that visits', () => {
    start()
    request(1, visit('first', 'call-1'))
    request(2, visit('second', 'call-9'))
    response(2)
    response(1)
    expect([kinds(first), kinds(second), kinds(log)]).toEqual([
      ['request', 'response'],
      ['request', 'response'],
      [],
    ])
    expect(second.transcript().requests('provider', 'call-9')).toHaveLength(1)
  })

  test('to whoever began the authorization, from its visit on', () => {
    start()
    request(1, visit('first', 'call-2'))
    logged(1, { type: 'authorization-request', authorization: 'a-1', valid: true })
    response(1)
    request(2, { authorization: 'a-1' })
    grant(2, { authorization: 'a-1' })
    response(2)
    request(3)
    logged(3, { type: 'resource-access', authorization: 'a-1', outcome: 'served' })
    response(3)
    expect(first.transcript().provider('grant', 'call-2')).toHaveLength(1)
    expect(first.transcript().provider('resource-access', 'call-2')).toHaveLength(1)
    expect(kinds(second)).toEqual([])
    // Of the third exchange nobody knew at first whom it belongs to.
    expect(kinds(log)).toEqual(['request'])
  })

  test('to whoever forged the code that is presented', () => {
    const records = start()
    records.bait('forged-code', { recorder: second, call: 'call-1' })
    request(1, { body: 'grant_type=authorization_code&code=forged-code' })
    grant(1, { outcome: 'refused' })
    expect(second.transcript().provider('grant', 'call-1')).toHaveLength(1)
    request(2, { body: 'code=forged-code-and-more' })
    expect(log.transcript().requests('provider')).toHaveLength(1)
    request(3, { headers: { authorization: 'Bearer forged-code' } })
    expect(second.transcript().requests('provider', 'call-1')).toHaveLength(2)
  })

  test('to whoever was given what is no token, nothing at all included', () => {
    const records = start()
    records.bait('', { recorder: second, call: 'call-1' })
    request(1, { body: 'code=&scope=' })
    request(2, { headers: { authorization: 'Basic ' } })
    expect(second.transcript().requests('provider')).toEqual([])
    request(3, { headers: { authorization: 'Bearer' } })
    request(4, { headers: { authorization: 'Bearer ' } })
    expect(second.transcript().requests('provider', 'call-1')).toHaveLength(2)
  })

  test('to nobody where nobody can be told', () => {
    start()
    request(1)
    request(2, visit('unknown', 'call-1'))
    request(3, { headers: { [visitHeader]: '' } })
    expect([kinds(first), kinds(second)]).toEqual([[], []])
    const requests = log.transcript().requests('provider')
    expect(requests).toHaveLength(3)
    for (const each of requests) expect(each).not.toHaveProperty('call')
  })

  test('to the log once its scenario has ended', () => {
    start()
    request(1, visit('first', 'call-1'))
    logged(1, { type: 'authorization-request', authorization: 'a-1', valid: true })
    first.record({ type: 'end', outcome: 'completed' })
    grant(2, { authorization: 'a-1' })
    expect(kinds(first)).toEqual(['request', 'provider', 'end'])
    const [late] = log.transcript().provider('grant')
    expect(late).toMatchObject({ authorization: 'a-1' })
    expect(late).not.toHaveProperty('call')
  })

  test('not to the exchange of the same number that has ended', () => {
    start()
    request(1, visit('first', 'call-1'))
    response(1)
    grant(1)
    expect(log.transcript().provider('grant')).toHaveLength(1)
  })
})

describe('secrets', () => {
  test('are in the ledger from the start, and from the moment they are minted', () => {
    start()
    request(1, { body: 'client_secret=cs_0123456789abcdefghij' })
    mint({ id: 'authorization_code-1', kind: 'authorization_code', value: code })
    request(2, { body: `code=${code}` })
    expect(JSON.stringify(log.transcript().events)).not.toMatch(/0123456789abcdefghij/)
    const seen = log.transcript().events.flatMap(({ secrets }) => secrets ?? [])
    expect(seen.map(({ id, at }) => [id, at])).toEqual([
      ['client_secret-1', 'body.text'],
      ['authorization_code-1', 'body.text'],
    ])
  })

  test.each(['code_verifier', 'client_assertion'])(
    'of the implementation are learnt where the provider meets them: %s',
    (kind) => {
      start()
      const value = 'v'.repeat(20) + 'erifier-of-some-length-1234'
      request(1, { body: `grant_type=authorization_code&${kind}=${value}` })
      expect(JSON.stringify(log.transcript().events)).not.toContain(value)
      expect(ledger.find(value)).toMatchObject({ kind })
    },
  )

  test('of several providers are told apart, in exchanges and in what was understood', () => {
    start('own-first')
    mint({ id: 'access_token-1', kind: 'access_token', value: token })
    expect(ledger.find(token)?.id).toBe('own-first:access_token-1')
    request(1, visit('first', 'call-1'))
    grant(1, {
      presented: 'refresh_token-1',
      issued: ['access_token-1', 'refresh_token-2'],
      clientId: 'access_token-1',
    })
    logged(1, { type: 'resource-access', token: 'access_token-1', subject: 'me' })
    const [granted] = first.transcript().provider('grant')
    expect(granted).toMatchObject({
      exchange: 'own-first:p1',
      detail: {
        presented: 'own-first:refresh_token-1',
        issued: ['own-first:access_token-1', 'own-first:refresh_token-2'],
        clientId: 'access_token-1',
      },
    })
    expect(first.transcript().provider('resource-access')[0]?.detail).toMatchObject({
      token: 'own-first:access_token-1',
      subject: 'me',
    })
  })
})
