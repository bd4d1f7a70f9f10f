import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthority, type TimeStampAuthority } from './testing.ts'
import { statedTime, timeStampQuery, verifyTimeStamp } from './time-stamp.ts'

const content = Buffer.from('an envelope')
let authority: TimeStampAuthority
let trusted: string
let reply: Buffer
beforeAll(async () => {
  authority = startAuthority()
  trusted = readFileSync(authority.trusted, 'utf8')
  reply = authority.reply(await timeStampQuery(content))
})
afterAll(() => authority.close())

test('a time stamp that OpenSSL made is verified', async () => {
  const { time, by } = await verifyTimeStamp(reply, content, trusted)
  expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(60_000)
  expect(by).toBe('CN=Test authority')
  expect(await statedTime(reply, content)).toEqual(time)
})

test('one for something else is refused', async () => {
  const other = Buffer.from('another envelope')
  await expect(verifyTimeStamp(reply, other, trusted)).rejects.toThrow('does not verify')
  await expect(statedTime(reply, other)).rejects.toThrow('for something else')
})

test('one of an authority that the reader does not trust is refused', async () => {
  const stranger = startAuthority()
  const root = readFileSync(stranger.trusted, 'utf8')
  stranger.close()
  await expect(verifyTimeStamp(reply, content, root)).rejects.toThrow('does not verify')
})

test('a byte changed anywhere is refused, or changes nothing that is signed', async () => {
  const stated = await verifyTimeStamp(reply, content, trusted)
  for (let at = 0; at < reply.length; at += 7) {
    const changed = Buffer.from(reply)
    changed[at] = (changed[at] ?? 0) ^ 0x55
    const found = await verifyTimeStamp(changed, content, trusted).catch(() => undefined)
    if (found) expect(found.time).toEqual(stated.time)
  }
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('<html>')],
  ['a deep nesting', Buffer.alloc(50_000, 0x30)],
])('%s is no time stamp', async (_, bytes) => {
  await expect(verifyTimeStamp(bytes, content, trusted)).rejects.toThrow(/cannot be read|is none/)
})
