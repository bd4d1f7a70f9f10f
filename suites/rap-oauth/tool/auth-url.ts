/** What an auth_url looks like, wherever it leads. */

import { inconclusive, pass, show, violation } from '../../../harness/engine/index.ts'
import type { Judge } from './checks.ts'
import { callOf, citeMessages } from './view.ts'

const asNone = 'no oauth message arrived'

/** Each oauth message of a call names an absolute URL (RAP OAuth, Fields). */
export function absoluteAuthUrl(name = 'call-1'): Judge {
  return (t) => {
    const { oauth } = callOf(t, name)
    if (oauth.length === 0) return inconclusive(asNone)
    const relative = oauth.find(({ value }) => !isAbsolute(value['auth_url']))
    if (!relative) return pass('absolute', citeMessages(...oauth))
    const difference = { expected: 'an absolute URL', actual: show(relative.value['auth_url']) }
    return violation('auth_url is not an absolute URL', difference, citeMessages(relative))
  }
}

/** Each oauth message of a call names an HTTPS URL (RAP OAuth, Security Considerations). */
export function httpsAuthUrl(name = 'call-1'): Judge {
  return (t) => {
    const { oauth } = callOf(t, name)
    if (oauth.length === 0) return inconclusive(asNone)
    const insecure = oauth.find(({ value }) => !/^https:/i.test(String(value['auth_url'])))
    if (!insecure) return pass('https', citeMessages(...oauth))
    const difference = { expected: 'https://…', actual: String(insecure.value['auth_url']) }
    return violation('auth_url must use HTTPS', difference, citeMessages(insecure))
  }
}

function isAbsolute(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url)
}
