/** The cookies of one browser, which is not always the only one to speak for its user. */

import { CookieJar } from 'tough-cookie'
import { loopbackNames } from './loopback-origins.ts'

export type { CookieJar } from 'tough-cookie'

interface Headed {
  readonly headers: Readonly<Record<string, string>>
}

interface Sent extends Headed {
  readonly url: string
}

/** An empty jar. Hosts of tests are of no registered domain (RFC 6265 §5.3). */
export function newJar(): CookieJar {
  return new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true })
}

/**
 * What is asked by a page, or by a user who follows a link: with the cookies of their browser. An application on this machine has
 * them by whichever name of it the browser comes back.
 */
export function withCookies<Request extends Sent, Answer extends Headed>(
  transport: (request: Request) => Promise<Answer>,
  jar: CookieJar,
): (request: Request) => Promise<Answer> {
  return async (request) => {
    const cookie = await jar.getCookieString(request.url)
    const headers = cookie === '' ? request.headers : { ...request.headers, cookie }
    const answer = await transport({ ...request, headers })
    for (const line of answer.headers['set-cookie']?.split('\n') ?? []) {
      for (const url of namesOf(request.url)) await jar.setCookie(line, url, { ignoreError: true })
    }
    return answer
  }
}

function namesOf(url: string): readonly string[] {
  const { hostname } = new URL(url)
  if (!loopbackNames.includes(hostname)) return [url]
  return loopbackNames.map((name) => {
    const named = new URL(url)
    named.hostname = name
    return named.href
  })
}
