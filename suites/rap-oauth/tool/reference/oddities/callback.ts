/** Oddities of the way back: how states are read, and which ways the callback takes within the tool. */

import { html } from 'hono/html'

import { alterAuthorizationUrl } from '../defects/alter.ts'
import type { Oddity } from './oddity.ts'

const callback = '/oauth/callback'

/** Where states are delivered that were altered. */
const altered = ['state-altered', 'state-altered-late', 'state-extended', 'state-other-case']

export const callbackOddities: readonly Oddity[] = [
  {
    id: 'state-read-as-a-number',
    description: 'state is a random number in capital hexadecimal, and is read as one',
    permitted: 'RFC 6749 §10.12: a value that cannot be guessed; in hexadecimal case means nothing',
    touches: altered,
    parts: (defaults) => ({
      newState: (call) =>
        Buffer.from(defaults.newState(call), 'base64url').toString('hex').toUpperCase(),
      validateState: (query, flows, now) =>
        defaults.validateState(
          withState(query, (state) => state.toUpperCase()),
          flows,
          now,
        ),
    }),
  },
  {
    id: 'state-read-to-its-padding',
    description: 'state is base64url with padding, behind which nothing is read',
    permitted: 'RFC 4648 §3.3: a decoder may ignore what follows the padding',
    touches: altered,
    parts: (defaults) => ({
      newState: (call) => `${defaults.newState(call)}=`,
      validateState: (query, flows, now) =>
        defaults.validateState(
          withState(query, (state) => state.replace(/=.*$/, '=')),
          flows,
          now,
        ),
    }),
  },
  {
    id: 'callback-handed-on',
    description:
      'the callback is redirected, with a link, to a page in a language and by another name of the host',
    permitted:
      'RFC 6749 §3.1.2.5: the client may redirect the user-agent again; RFC 9110 §15.4: with a note; docs/readings.md, 11',
    touches: ['authorize-and-complete', 'denied-consent', 'whole-run'],
    parts: (defaults) => ({
      serve(request, route) {
        const url = new URL(request.url)
        if (url.pathname === callback) {
          url.hostname = 'localhost'
          url.pathname = `/en${callback}`
          const { href } = url
          const note = `<a href="${href.replaceAll('&', '&amp;')}">Found</a>.`
          const headers = { location: href, 'content-type': 'text/html; charset=utf-8' }
          return new Response(note, { status: 302, headers })
        }
        url.pathname = url.pathname.replace(/^\/en\//, '/')
        return defaults.serve(new Request(url, request), route)
      },
    }),
  },
  {
    id: 'page-in-utf-16',
    description: 'the pages at the end of an authorization are written in UTF-16',
    permitted: 'RFC 9110 §8.3.2: the charset parameter says how text is written',
    touches: ['authorize-and-complete', 'denied-consent', 'state-altered'],
    parts: (defaults) => ({
      async serve(request, route) {
        const response = await defaults.serve(request, route)
        const headers = new Headers(response.headers)
        if (!headers.get('content-type')?.startsWith('text/html')) return response
        headers.set('content-type', 'text/html; charset=utf-16le')
        const page = Buffer.from(await response.text(), 'utf16le')
        return new Response(page, { status: response.status, headers })
      },
    }),
  },
  {
    id: 'callback-posted-and-redirected',
    description: 'the provider posts its answer, which is redirected by 308 to a path with a slash',
    permitted: 'OAuth 2.0 Form Post Response Mode; RFC 9110 §15.4.9: the method is kept',
    touches: ['authorize-and-complete', 'denied-consent'],
    parts: (defaults) => ({
      ...alterAuthorizationUrl(defaults, (query) => query.set('response_mode', 'form_post')),
      async serve(request, route) {
        const { pathname, origin } = new URL(request.url)
        if (pathname === callback && request.method === 'POST')
          return new Response(null, { status: 308, headers: { location: `${callback}/` } })
        if (pathname !== `${callback}/`) return defaults.serve(request, route)
        return defaults.serve(new Request(`${origin}${callback}?${await request.text()}`), route)
      },
    }),
  },
  {
    id: 'callback-finished-by-a-form',
    description:
      'the page after consent finishes by a form with the state, which a browser sends by itself',
    permitted: 'RFC 6749 §3.1.2.5: a page may process the credentials by itself',
    touches: ['authorize-and-complete', 'state-altered'],
    parts: (defaults) => {
      const brought = new Map<string, string>()
      return {
        async serve(request, route) {
          const { pathname, searchParams } = new URL(request.url)
          const state = searchParams.get('state') ?? ''
          if (pathname === callback && searchParams.has('code')) {
            brought.set(state, request.url)
            return new Response(String(await finishingForm(state)), {
              headers: { 'content-type': 'text/html; charset=utf-8' },
            })
          }
          if (pathname !== '/oauth/finish') return defaults.serve(request, route)
          const sent = (await request.formData()).get('state')
          const url = typeof sent === 'string' ? brought.get(sent) : undefined
          return defaults.serve(new Request(url ?? request.url), route)
        },
      }
    },
  },
]

const finishingForm = (state: string) =>
  html`<form method="post" action="/oauth/finish">
      <input type="hidden" name="state" value="${state}" />
    </form>
    <script>
      document.forms[0].submit()
    </script>`

/** A query in which the state is read otherwise. */
function withState(query: URLSearchParams, read: (state: string) => string): URLSearchParams {
  const states = query.getAll('state').map((state): [string, string] => ['state', read(state)])
  const others = [...query].filter(([name]) => name !== 'state')
  return new URLSearchParams([...others, ...states])
}
