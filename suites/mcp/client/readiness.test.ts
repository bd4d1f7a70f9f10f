import { expect, test } from 'vitest'
import { Readiness } from './readiness.ts'

const stays = new AbortController().signal

test('a text that is printed once is taken for a greeting, and what to name instead is said', async () => {
  const readiness = new Readiness('> ')
  readiness.read('Welcome.\n> ')
  await readiness.shown(1, stays)
  readiness.typed()
  readiness.read('Two items.\n')
  await expect(readiness.shown(1, stays)).rejects.toThrow(
    'the client showed "> " before the last line and not again within 1 ms: drive.terminal.ready is',
  )
  readiness.read('> ')
  await readiness.shown(1, stays)
})
