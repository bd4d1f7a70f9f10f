import { expect, test } from 'vitest'
import { checkAdapter } from './check-adapter.ts'

const problemsOf = async (...command: readonly string[]) => {
  const checks = await checkAdapter({ command, cwd: process.cwd(), within: 5000 })
  return checks.flatMap(({ problem }) => problem ?? [])
}
/** An adapter that answers by this expression. */
const answering = (answer: string, more = '') => [
  process.execPath,
  '-e',
  `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, command } = JSON.parse(line)
    process.stdout.write(JSON.stringify({ id, event: ${answer}, message: '' }) + '\\n')
    ${more}
  })`,
]
const ends = "if (command === 'shutdown') process.exit(0)"

test('a right one', async () => {
  const known = `['hello', 'configure', 'shutdown'].includes(command)`
  const right = answering(`${known} ? 'settled' : 'unsupported'`, ends)
  expect(await problemsOf(...right)).toEqual([])
})

test.each([
  ['settles everything', answering(`'settled'`, ends), 'it answered settled'],
  [
    'supports nothing',
    answering(`command === 'hello' ? 'settled' : 'unsupported'`),
    'it answered configure with unsupported',
  ],
  ['refuses to greet', answering(`'failed'`), 'does not speak version 1'],
  ['is no adapter', ['echo', 'Listening on 8080'], 'something that is not an event'],
  ['is not there', ['./no-such-adapter'], 'cannot be started'],
])('one that %s', async (_, command, problem) => {
  expect((await problemsOf(...command)).join('\n')).toContain(problem)
})
