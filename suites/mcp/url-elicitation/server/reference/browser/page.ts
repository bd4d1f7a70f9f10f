/** What the user's browser shows of this server. */

import type { Context as Http } from 'hono'
import { html } from 'hono/html'

export type Page =
  'approved' | 'refused' | 'unknown' | 'incomplete' | 'other-user' | 'other-browser' | 'unavailable'

const pages = {
  approved: {
    status: 200,
    title: 'Thank you',
    text: 'Your items can be listed now. You can close this window and return to your assistant.',
  },
  refused: {
    status: 200,
    title: 'Access was not granted',
    text: 'Your assistant is told. You can close this window.',
  },
  unknown: {
    status: 404,
    title: 'This link is not valid',
    text: 'It is unknown, was used before, or has expired. Please ask your assistant again.',
  },
  incomplete: {
    status: 400,
    title: 'Something is missing',
    text: 'The authorization server sent no answer along. Please open the link again.',
  },
  'other-user': {
    status: 403,
    title: 'This link is for somebody else',
    text: 'You are logged in as another user than the one whose assistant asked. If somebody sent you this link, do not use it.',
  },
  'other-browser': {
    status: 403,
    title: 'This is another browser',
    text: 'The authorization was begun in another browser. If somebody sent you this link, do not use it.',
  },
  unavailable: {
    status: 503,
    title: 'Please try again later',
    text: 'The authorization server cannot be reached.',
  },
} as const

/**
 * The address of this page may hold a code and a state, so the page repeats nothing of it, loads
 * nothing, sends no referrer and stays out of caches (RFC 9700 §4.2).
 */
export function renderPage(http: Http, page: Page): Response | Promise<Response> {
  const { status, title, text } = pages[page]
  http.header('cache-control', 'no-store')
  http.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  http.header('referrer-policy', 'no-referrer')
  http.header('x-content-type-options', 'nosniff')
  return http.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
        </head>
        <body>
          <h1>${title}</h1>
          <p>${text}</p>
        </body>
      </html>`,
    status,
  )
}
