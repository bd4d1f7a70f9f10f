import { expect, test } from 'vitest'
import { linesOf, logLines, PrintedUrls } from './log-lines.ts'
import { tokenOf } from './testing.ts'

const url = `https://provider.example/?state=${tokenOf('url', 1)}`
const much = Array.from({ length: 3 * logLines }, (_, index) => `debug: line ${index}`)

test('what names a URL is among what is recorded of a log file, wherever it stands', () => {
  const lines = linesOf([...much, `shown ${url}`].join('\n'))
  expect(lines).toHaveLength(logLines)
  expect(lines).toContain(`shown ${url}`)
  expect(linesOf('one\n\ntwo\n')).toEqual(['one', 'two'])
})

test('what names a URL is remembered of everything that is printed, within a bound', () => {
  const printed = new PrintedUrls()
  for (const text of much) printed.take({ source: 'shared stderr', text })
  expect(printed.lines).toEqual([])
  for (const text of much) printed.take({ source: 'shared stderr', text: `${text} ${url}` })
  expect(printed.lines).toHaveLength(100)
})
