import { expect, test } from 'vitest'
import { recording } from './testing.ts'
import { askedOf } from './view.ts'

const urls = (t: ReturnType<typeof recording>) =>
  askedOf(t.transcript)[0]?.opened.map(({ detail }) => detail['url'])

test('a URL that came in an event and is shown finished as well is not one that its user opens', () => {
  const t = recording().asked()
  t.opened(t.ask.authUri).opened()
  expect(urls(t)).toEqual([t.url()])
})

test('a URL that is never finished is opened as it came', () => {
  const t = recording().asked()
  t.opened(t.ask.authUri)
  expect(urls(t)).toEqual([t.ask.authUri])
})

test('what the application opens itself counts, finished or not', () => {
  const t = recording().asked()
  t.opened(t.ask.authUri, 'client').opened()
  expect(urls(t)).toEqual([t.ask.authUri, t.url()])
})
