import { PassThrough } from 'node:stream'

import { expect, test } from 'vitest'

import { renderEvent, runConsole } from './console.ts'
import type { Listener } from './events.ts'

const url = 'https://auth.example/?a=1&b=%20#\u00fc'

test('prints a link alone on its line, exactly', () => {
  const event = { type: 'authorization_required', tool: 'list', id: 'call_1', seq: 1 } as const
  expect(renderEvent({ ...event, url })).toEqual([expect.stringContaining('"list"'), url])
  expect(renderEvent(event)).toEqual([])
})

test('keeps control characters of the model away from the terminal', () => {
  const text = 'a\u001b[2J\u0007\u202eb\n\tc'
  expect(renderEvent({ type: 'assistant_text', text, seq: 1 })).toEqual(['a[2Jb\n\tc'])
})

test('takes lines for messages', async () => {
  const input = new PassThrough()
  const printed: string[] = []
  const said = new Promise<unknown[]>((resolve) => {
    const listen = (_: string, listener: Listener) => {
      listener({ type: 'notice', text: 'hello', seq: 1 })
      return () => {}
    }
    runConsole({ listen, say: (...all) => resolve(all) }, input, (line) => printed.push(line))
  })
  input.write('\nlist my items\n')
  expect(await said).toEqual(['console', 'list my items', 'console'])
  expect(printed).toEqual(['hello'])
})
