/** What the user's browser shows after the provider sent it back. */

import type { Context as Http } from 'hono'
import { html } from 'hono/html'

export type Page = 'approved' | 'refused' | 'unknown' | 'incomplete'

const pages = {
  approved: {
    status: 200,
    title: 'Thank you',
    text: 'Your answer was received. You can close this window and return to your assistant.',
  },
  refused: {
    status: 200,
    title: 'Access was not granted',
    text: 'Your assistant is told. You can close this window.',
  },
  unknown: {
    status: 400,
    title: 'This link is not valid',
    text: 'It is unknown, was used before, or has expired. Please ask your assistant again.',
  },
  incomplete: {
    status: 400,
    title: 'Something is missing',
    text: 'The authorization server sent no answer along. Please open the link again.',
  },
} as const

/**
 * The address of this page holds the code and the state, so the page repeats nothing of it, loads
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
