import { expect, test } from 'vitest'
import { ClientRecording } from '../../testing.ts'
import { saidIn } from './off-wire.ts'

const said = (text: string) => {
  const { transcript } = new ClientRecording('a-scenario').event({
    type: 'output',
    source: 'stdout',
    text,
    bytes: text.length,
  })
  const [event] = transcript.events
  return saidIn({ ...event!, type: 'response', body: { text, bytes: text.length } } as never)
}

test('escapes that JSON does not need are read', () => {
  expect(said(String.raw`{"\u006dethod":"auth\/request"}`)).toBe('{"method":"auth/request"}')
})

test('what is no JSON is said as it came', () => {
  expect(said('{"method":"auth/request"')).toBe('{"method":"auth/request"')
})
