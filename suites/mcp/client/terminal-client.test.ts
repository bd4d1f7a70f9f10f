import { expect, test } from 'vitest'
import { Starts, Unreachable } from '../../../harness/engine/index.ts'
import type { StartParts } from './instance.ts'
import { PromptReader, startTerminalClient, type Terminal } from './terminal-client.ts'

/** Prompts and approvals that are found in pieces of output. */
function read(pieces: readonly string[], approval?: { text: string; line: string }) {
  const found: string[] = []
  const reader = new PromptReader(
    { prompt: '[y/n]', approval },
    {
      onPrompt: (id, text) => found.push(`${id}: ${text}`),
      onApproval: () => found.push('approved'),
    },
  )
  for (const piece of pieces) reader.read(piece)
  return found
}

test('a prompt is all that was printed since the one before it', () => {
  expect(read(['Hello\n', 'Open a? [y', '/n] b? [y/n]'])).toEqual([
    'prompt-1: Hello\nOpen a? [y/n]',
    'prompt-2:  b? [y/n]',
  ])
})

test('what is printed after the last prompt is known, too', () => {
  const reader = new PromptReader(
    { prompt: '[y/n]' },
    { onPrompt: () => undefined, onApproval: () => undefined },
  )
  reader.read('Open? [y/n]\nGo to \u001b[4mhttp://a\u001b[0m\n')
  expect(reader.rest).toBe('\nGo to http://a\n')
})

test('what a terminal does with a text is not read', () => {
  expect(read(['\u001b[1mOpen\u001b[0m [y/n]'])).toEqual(['prompt-1: Open [y/n]'])
})

test('whether the tool may be called is another question', () => {
  const approval = { text: 'Call it?', line: 'y' }
  expect(read(['Call it? ', 'Open? [y/n]'], approval)).toEqual([
    'approved',
    'prompt-1:  Open? [y/n]',
  ])
  expect(read(['Open? [y/n] ', 'Call it?'], approval)).toEqual([
    'prompt-1: Open? [y/n]',
    'approved',
  ])
})

test('what floods the screen is forgotten', () => {
  const [prompt] = read(['x'.repeat(200_000), '[y/n]'])
  expect(prompt?.length).toBeLessThan(70_000)
})

const terminal = {
  call: 'run {tool} {arguments}',
  prompt: 'Open?',
  accept: 'yes',
  decline: 'no',
  cancel: 'never mind',
}

function start(
  command: readonly string[],
  parts: Partial<StartParts> = {},
  changes: Partial<Terminal> = {},
  within = 10_000,
) {
  return startTerminalClient(
    {
      command,
      starts: new Starts(),
      cwd: process.cwd(),
      env: {},
      stopWithin: 1000,
      onPrompt: () => undefined,
      onOpened: () => undefined,
      onOutput: () => undefined,
      ...parts,
    },
    { ...terminal, ...changes },
    within,
  )
}

test('it is told what to call and what its user says, a line for each', async () => {
  const echo = "process.stdin.on('data', (text) => process.stdout.write(text + 'Open?'))"
  let next: (text: string) => void = () => undefined
  const prompt = (): Promise<string> => new Promise((resolve) => (next = resolve))
  const client = await start([process.execPath, '-e', echo], {
    onPrompt: ({ text }) => next(text),
  })
  const first = prompt()
  await client.call('list_items', { note: 'a\nb' })
  expect(await first).toBe('run list_items {"note":"a\\nb"}\nOpen?')
  const second = prompt()
  await client.answer('prompt-1', 'cancel')
  expect(await second).toBe('never mind\nOpen?')
  await client.stop()
})

test('a key is typed alone, and that its user has finished as a line', async () => {
  const echo =
    "process.stdin.on('data', (text) => process.stdout.write(JSON.stringify(String(text)) + 'Open?'))"
  let next: (text: string) => void = () => undefined
  const prompt = (): Promise<string> => new Promise((resolve) => (next = resolve))
  const client = await start(
    [process.execPath, '-e', echo],
    { onPrompt: ({ text }) => next(text) },
    { cancel: '\u001b', retry: 'done' },
  )
  const key = prompt()
  await client.answer('prompt-1', 'cancel')
  expect(await key).toBe('"\\u001b"Open?')
  const second = prompt()
  await client.retry?.()
  expect(await second).toBe('"done\\n"Open?')
  await client.stop()
})

test('one that ends by itself is gone, and one that does not start is unreachable', async () => {
  const client = await start([process.execPath, '-e', 'process.exit(3)'])
  if (!client.gone.aborted)
    await new Promise((resolve) => client.gone.addEventListener('abort', resolve))
  expect(client.gone.reason).toBe('the client exited with code 3')
  await client.stop()
  await expect(start(['./no-such-client'])).rejects.toThrow(Unreachable)
})

/** Says nothing to who is no terminal, as many programs do. */
const atTerminalOnly = `
  if (!process.stdin.isTTY || !process.stdout.isTTY) process.exit(9)
  const lines = require('node:readline').createInterface(process.stdin)
  const url = 'https://as.example/' + 'a'.repeat(200)
  lines.on('line', (line) => process.stdout.write('[' + line + '] ' + url + ' Open?'))
`

test('one that wants a terminal gets one, which breaks no line', async () => {
  let next: (text: string) => void = () => undefined
  const prompt = new Promise<string>((resolve) => (next = resolve))
  const parts = {
    env: { PATH: process.env['PATH'] ?? '' },
    onPrompt: ({ text }: { readonly text: string }) => next(text),
  }
  const command = [process.execPath, '-e', atTerminalOnly]
  const client = await start(command, parts, { pty: true })
  await client.call('list_items', {})
  expect(await prompt).toContain(`[run list_items {}] https://as.example/${'a'.repeat(200)} Open?`)
  await client.stop()
  const piped = await start(command, parts)
  if (!piped.gone.aborted)
    await new Promise((resolve) => piped.gone.addEventListener('abort', resolve))
  expect(piped.gone.reason).toBe('the client exited with code 9')
  await piped.stop()
})

test('without python3 there is no terminal, and that is said', async () => {
  const starting = start([process.execPath], { env: { PATH: '/nowhere' } }, { pty: true })
  await expect(starting).rejects.toThrow(/takes python3/)
})

/** Loses what is typed before it asks, as `readline.question` does. */
const deafAtFirst = `
process.stdin.on('data', () => {})
setTimeout(() => { process.stdin.removeAllListeners('data'); process.stdin.on('data', (text) => console.log('got ' + text + '> ')); console.log('> ') }, 100)`

test('one that takes commands later is told what to call when it says so, each time', async () => {
  const lines: string[] = []
  let arrived: () => void = () => undefined
  const client = await start(
    [process.execPath, '-e', deafAtFirst],
    {
      onOutput(_, text) {
        if (text.startsWith('got')) lines.push(text)
        if (lines.length === 2) arrived()
      },
    },
    { ready: '> ' },
  )
  const both = new Promise<void>((resolve) => (arrived = resolve))
  await client.call('list_items', {})
  await client.call('list_notes', {})
  await both
  expect(lines).toEqual(['got run list_items {}', 'got run list_notes {}'])
  await client.stop()
})

test('one that never takes a command is unreachable, and so is one that ends before', async () => {
  const silent = await start(
    [process.execPath, '-e', 'process.stdin.resume()'],
    {},
    { ready: '> ' },
    50,
  )
  await expect(silent.call('list_items', {})).rejects.toThrow(
    'the client never showed that it takes a command (> ): nothing of the kind within 50 ms',
  )
  await silent.stop()
  const ended = await start([process.execPath, '-e', ''], {}, { ready: '> ' })
  await expect(ended.call('list_items', {})).rejects.toThrow(Unreachable)
  await ended.stop()
})
