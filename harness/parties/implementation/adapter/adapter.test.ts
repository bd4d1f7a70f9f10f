import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openAdapter, type AdapterOptions } from './adapter.ts'
import { adapterEvent, adapterSchema, type AdapterNotice } from './protocol.ts'

/** An adapter in a line: `on(command)` is called for every command, `say` prints an event. */
function options(body: string, more: Partial<AdapterOptions> = {}): AdapterOptions {
  const script = `
    const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, command } = JSON.parse(line)
      ${body}
    })`
  return {
    command: [process.execPath, '-e', script],
    cwd: process.cwd(),
    env: {},
    within: 10_000,
    onNotice: () => undefined,
    onLog: () => undefined,
    ...more,
  }
}

const greets = "if (command === 'hello') return say({ event: 'settled', id, protocol: 1 })"

test('commands are answered, events are reported, unknown fields are ignored', async () => {
  const notices: AdapterNotice[] = []
  const body = `${greets}
    if (command === 'advance_clock') return say({ event: 'unsupported', id })
    say({ event: 'surfaced', conversation: 'c', text: 'hello', colour: 'red' })
    say({ event: 'settled', id, extra: [1] })`
  const adapter = await openAdapter(options(body, { onNotice: (notice) => notices.push(notice) }))
  await expect(adapter.send({ command: 'start' })).resolves.toMatchObject({ event: 'settled' })
  const clock = adapter.send({ command: 'advance_clock', ms: 5 })
  await expect(clock).resolves.toMatchObject({ event: 'unsupported' })
  expect(notices).toEqual([expect.objectContaining({ event: 'surfaced', text: 'hello' })])
  await adapter.close(1000)
})

test.each([
  ['dies', 'process.exit(3)', 'the adapter exited with code 3'],
  ['prints rubbish', "console.log('Listening on 8080')", 'printed something that is not an event'],
  ['never answers', '', 'did not answer the command start within 5000 ms'],
  ['prints a long line', "console.log('x'.repeat(1100000))", 'printed a line of 1100000 bytes'],
  [
    'floods',
    "console.log((JSON.stringify({ event: 'log', text: '' }) + '\\n').repeat(20010))",
    'printed more than 20000 lines',
  ],
])('an adapter that %s is a clear error of the harness', async (_, then, message) => {
  const adapter = await openAdapter(options(`${greets}; ${then}`, { within: 5000 }))
  await expect(adapter.send({ command: 'start' })).rejects.toThrow(message)
  expect(adapter.gone.aborted).toBe(true)
  await expect(adapter.send({ command: 'dump' })).rejects.toThrow(message)
  await adapter.close(0)
})

test('an adapter of another version, and one that cannot be started', async () => {
  const other = "say({ event: 'settled', id, protocol: 9 })"
  await expect(openAdapter(options(other))).rejects.toThrow('does not speak version 1')
  const missing = openAdapter(options('', { command: ['./no-such-adapter'] }))
  await expect(missing).rejects.toThrow('the adapter cannot be started')
})

test('an adapter may speak a newer version than it is asked for, and an older one not', async () => {
  const newer = "say({ event: 'settled', id, protocol: 2, capabilities: ['dump'] })"
  const adapter = await openAdapter(options(newer))
  expect(adapter.capabilities).toEqual(['dump'])
  await adapter.close(0)
  const older = options(greets, { speaks: 2 })
  await expect(openAdapter(older)).rejects.toThrow('does not speak version 2')
})

test('an event may have null for what it may leave out', () => {
  const callback = { event: 'callback', outcome: 'refused', kind: 'ValueError' }
  const nothing = { state: null, user: null, message: null }
  expect(adapterEvent.parse({ ...callback, ...nothing })).toEqual(callback)
  const settled = { event: 'settled', id: 1, entries: [{ path: 'a', text: 'b', kind: null }] }
  expect(adapterEvent.parse({ ...settled, capabilities: null, credential: null })).toEqual({
    ...settled,
    entries: [{ path: 'a', text: 'b' }],
  })
  expect(adapterEvent.safeParse({ ...callback, outcome: null }).success).toBe(false)
})

test('docs/adapter.schema.json is what the code says', () => {
  const file = fileURLToPath(new URL('../../../../docs/adapter.schema.json', import.meta.url))
  expect(existsSync(file)).toBe(true)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(adapterSchema())
})
