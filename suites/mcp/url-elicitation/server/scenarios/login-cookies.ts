/** How the browser of a user is known when it opens a URL: by what it brings along, which nobody else may be able to write. */

import {
  cite,
  inconclusive,
  isAfter,
  jsonIn,
  notApplicable,
  pass,
  violation,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { derivationOf, type Known } from '../../../../oauth-client/derived-values.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { isRecord, textIn } from '../../../wire/values.ts'
import { check } from '../checks.ts'
import { needsLogin } from '../conditions.ts'
import { callsOf, type CallView } from '../view.ts'

/** Characters of a value that is too short to prove anything, whatever it stands for. */
const short = 8

/** A browser that was let in, and all that it brought along. */
interface LetIn {
  readonly call: CallView
  readonly request: Recorded<RequestEvent>
  readonly values: readonly string[]
}

/** Every time that a URL which was asked to be opened was opened with cookies, and led to the provider. */
function letIn(t: Transcript): LetIn[] {
  return [...partsOf(t).values()].flatMap((part) =>
    callsOf(part).flatMap((call) => {
      const urls = call.asked.map(({ url }) => url)
      return part.requests('browser', call.name).flatMap((request) => {
        const [visited] = part.steps('visited', call.name).filter((each) => isAfter(each, request))
        const values = valuesIn(textIn(request.headers['cookie']))
        const isLetIn = urls.includes(request.url) && visited?.detail['ended'] === 'interaction'
        return isLetIn && values.length > 0 ? [{ call, request, values }] : []
      })
    }),
  )
}

/** The provider's cookie, which a browser takes to every port of a host (RFC 6265 §8.5). */
const ofProvider = /^\[secret session-\d+\]$/

/** The values of a Cookie field (RFC 6265 §4.2.1), which may be quoted or percent-encoded. */
function valuesIn(field: string): string[] {
  return field.split(/;\s*/).flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1).replace(/^"(.*)"$/, '$1')
    return value === '' || ofProvider.test(value) ? [] : leavesOf(plain(value))
  })
}

/** A value, or those in it where it is JSON, encoded or not. */
function leavesOf(value: string): string[] {
  const json = [value, Buffer.from(value, 'base64').toString()].map(jsonIn).find(isRecord)
  return json === undefined ? [value] : leavesIn(json)
}

function leavesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesIn)
    : [String(value)]
}

function plain(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** What is known of the user of a call to who knows them. */
function knownOf({ sentValues }: CallView): Known {
  const { subject } = sentValues
  return { ...sentValues, email: subject && `${encodeURIComponent(subject)}@users.example` }
}

/** How anybody could write all of this, if they could. */
function writtenBy({ call, values }: LetIn): string | undefined {
  const ways = values.map((value) => {
    if (/^\d{1,12}$/.test(value)) return 'a number'
    return derivationOf(value, knownOf(call)) ?? (value.length < short ? '' : undefined)
  })
  return ways.includes(undefined) ? undefined : ways.find(Boolean)
}

export const ownBrowserOnly = check(
  'mcp-url-elicitation/server/same-user',
  'knows no browser by a cookie that anybody can write',
  (t, { declared }) => {
    const reason = needsLogin(declared)
    if (reason !== undefined) return notApplicable(reason)
    const all = letIn(t)
    for (const each of all) {
      const way = writtenBy(each)
      if (way === undefined) continue
      return violation(
        'a browser is known by a cookie that anybody can write',
        { expected: 'a cookie that nobody can guess, or that is signed', actual: way },
        cite(each.request),
      )
    }
    const [first] = all
    return first
      ? pass(`${all.length} visits with cookies`, cite(first.request))
      : inconclusive('no browser brought a cookie to a URL that led to the provider')
  },
)
