import { expect, test } from 'vitest'
import type { HttpResponse } from '../../../harness/parties/index.ts'
import { landingOf } from './landing-of.ts'

const origin = 'http://127.0.0.1:4000'

const answer = (status: number, text: string, location?: string): HttpResponse => ({
  status,
  headers: location === undefined ? {} : { location },
  body: { text, bytes: text.length },
})
const page = (text: string): HttpResponse => answer(200, text)
const redirect = (location: string): HttpResponse => answer(302, '', location)

/** An application with these answers by their paths, and what was asked of it. */
function application(answers: Readonly<Record<string, HttpResponse>>) {
  const asked: string[] = []
  return {
    asked,
    land: (path: string) =>
      landingOf(answers[path]!, origin + path, (url) => {
        asked.push(url)
        return Promise.resolve(answers[new URL(url).pathname]!)
      }),
  }
}

test('a page is where it leads', async () => {
  const { land, asked } = application({ '/go': page('Continue') })
  expect(await land('/go')).toEqual({ page: page('Continue') })
  expect(asked).toEqual([])
})

test('a redirect away is what is opened, and is not followed', async () => {
  const { land, asked } = application({ '/go': redirect('https://as.example/authorize?a=b') })
  expect(await land('/go')).toEqual({ away: 'https://as.example/authorize?a=b' })
  expect(asked).toEqual([])
})

test('redirects within the application are followed, relative ones as well', async () => {
  const { land, asked } = application({
    '/go': redirect('/go/on'),
    '/go/on': redirect('away'),
    '/go/away': redirect('https://as.example/authorize'),
  })
  expect(await land('/go')).toEqual({ away: 'https://as.example/authorize' })
  expect(asked).toEqual([`${origin}/go/on`, `${origin}/go/away`])
})

test('a loop ends', async () => {
  const { land, asked } = application({ '/go': redirect('/go') })
  expect(await land('/go')).toEqual({ page: redirect('/go') })
  expect(asked).toHaveLength(10)
})

test('what is no URL is opened as it is', async () => {
  const { land } = application({ '/go': redirect('http://') })
  expect(await land('/go')).toEqual({ away: 'http://' })
})
