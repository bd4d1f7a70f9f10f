import { afterEach, expect, test } from 'vitest'
import { Recorder, SecretLedger } from '../../../harness/engine/index.ts'
import { createAuthority } from '../../../mock-provider/index.ts'
import { startRecordedSite, type RecordedSite } from './recorded-site.ts'

let site: RecordedSite | undefined
afterEach(() => site?.close())

async function start(isSecure: boolean) {
  const recorder = new Recorder({ scenario: 'a', ledger: new SecretLedger(), now: () => 0 })
  const certificate = isSecure ? await (await createAuthority()).issue([]) : undefined
  site = await startRecordedSite({
    recorder,
    channel: 'page',
    callOf: (path) => (path.includes('e=1') ? 'call-1' : 'latest'),
    certificate,
  })
  const visits = () =>
    recorder
      .transcript()
      .requests('page')
      .map(({ method, url, call }) => [method, url, call])
  return { origin: site.origin, visits }
}

test('who asks for a page is recorded, with the call that the page is for', async () => {
  const { origin, visits } = await start(false)
  await fetch(`${origin}/connect?e=1`, { method: 'HEAD' })
  expect(visits()).toEqual([['HEAD', `${origin}/connect?e=1`, 'call-1']])
})

test('with TLS, who does not trust it has asked as well', async () => {
  const { origin, visits } = await start(true)
  expect(origin).toMatch(/^https:/)
  await expect(fetch(`${origin}/connect?e=1`)).rejects.toThrow()
  await expect.poll(visits).toEqual([['CONNECT', `${origin}/`, 'latest']])
})
