import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { Starts, Unreached } from '../../../harness/engine/index.ts'
import { startAdaptedClient } from './adapted-client.ts'
import type { StartParts } from './instance.ts'

/** An adapter that does what it is told, up to a command of which it dies. */
const dyingOf = (command: string) => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, command } = JSON.parse(line)
    if (command === '${command}') process.exit(3)
    console.log(JSON.stringify({ event: 'settled', id }))
  })`

/** An adapter that says what its user is shown: a text, a prompt, and what follows it. */
const showing = `
  console.log(JSON.stringify({ event: 'surfaced', text: 'before' }))
  console.log(JSON.stringify({ event: 'prompt', id: 'p', text: '\\x1b[1mOpen\\x1b[0m it?' }))
  for (const text of ['Go to', '\\x1b[4mhttp://\\x1b[1ma\\x1b[0m'])
    console.log(JSON.stringify({ event: 'surfaced', text }))
  ${dyingOf('never')}`

const start = (
  program: string,
  onOutput: StartParts['onOutput'] = () => undefined,
  onPrompt: StartParts['onPrompt'] = () => undefined,
) =>
  startAdaptedClient(
    {
      command: [process.execPath, '-e', program],
      starts: new Starts(),
      cwd: process.cwd(),
      env: {},
      stopWithin: 1000,
      onPrompt,
      onOpened: () => undefined,
      onOutput,
    },
    {},
    10_000,
  )

test('one that ends while it acts did not get there: that is no failure of the harness', async () => {
  const client = await start(dyingOf('call'))
  await expect(client.call('list_items', {})).rejects.toThrow(
    new Unreached('the adapter exited with code 3'),
  )
  await expect(client.answer('prompt-1', 'accept')).rejects.toBeInstanceOf(Unreached)
  await client.stop()
})

test('what its user is shown, without colours, and after the last prompt', async () => {
  const outputs: string[] = []
  const prompts: string[] = []
  const client = await start(
    showing,
    (source, text) => outputs.push(`${source}: ${stripVTControlCharacters(text)}`),
    ({ text }) => prompts.push(text),
  )
  expect(client.shown()).toBe('Go to\nhttp://a\n')
  expect(outputs).toEqual(['surfaced: before', 'surfaced: Go to', 'surfaced: http://a'])
  expect(prompts).toEqual(['Open it?'])
  await client.stop()
})
