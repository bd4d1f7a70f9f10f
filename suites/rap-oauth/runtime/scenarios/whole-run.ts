/** What can be said only when every other scenario has ended. */

import {
  cite,
  inconclusive,
  jsonOf,
  notApplicable,
  pass,
  violation,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { checkAnyway as check } from '../judges/check.ts'
import { readingsOf } from '../../../../harness/parties/host-user/url-in-text.ts'
import type { Fields } from '../vocabulary.ts'
import { uniqueIds } from '../judges/invocations.ts'
import { textOf } from '../view.ts'
import { isolates } from './concurrency.ts'
import { scenario } from './define.ts'
import { identifiesUsers } from './users.ts'

const originOf = ({ url }: RequestEvent): string => new URL(url).origin

/** The requests for discovery documents that got one, and those that did not. */
function discoveriesOf(t: Transcript) {
  const all = t.requests('discovery')
  const got = all.filter((each) => {
    const answer = t.answer(each)
    return answer?.type === 'response' && answer.status === 200
  })
  return [got, all.filter((each) => !got.includes(each))] as const
}

/** The invocation endpoints that the discovery documents name. */
function endpointsOf(t: Transcript): string[] {
  const answers = t.requests('discovery').map((request) => t.answer(request))
  const documents = answers.map((answer) =>
    answer?.type === 'response' ? jsonOf(answer.body) : undefined,
  )
  const endpoints = documents.map((each) => textOf((each as Fields | undefined)?.['endpoint']))
  return [...new Set(endpoints.filter((each) => each !== ''))]
}

const logSource = /^log |(stdout|stderr)$/

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'the recordings of all scenarios together',
  after: 'all',
  drive: ({ recordLogs }) => recordLogs(),
  checks: [
    check(
      'rap-oauth/runtime/fetch-toolset',
      'fetches the discovery documents',
      (t, { declared }) => {
        const [fetched, lost] = discoveriesOf(t)
        const invocations = t.requests('invocation')
        if (invocations.length === 0) return inconclusive('no tool was invoked')
        const known = (invocation: RequestEvent & { readonly t: number }): boolean =>
          fetched.some((each) => originOf(each) === originOf(invocation) && each.t <= invocation.t)
        const unknown = invocations.find((invocation) => !known(invocation))
        const endpoints = endpointsOf(t)
        const misplaced = invocations.find(
          ({ call, url }) => call === undefined && !endpoints.includes(url),
        )
        if (misplaced && endpoints.length > 0) {
          return violation(
            'a tool was not invoked at the endpoint of its discovery document',
            { expected: endpoints.join(' or '), actual: misplaced.url },
            cite(misplaced),
          )
        }
        const astray = lost.find((each) => !fetched.some((one) => originOf(one) === originOf(each)))
        if (astray) {
          return violation(
            'a discovery document was requested at the wrong URL: append /.well-known/rap-toolset to the base URL of the toolset, including its path',
            {
              expected: 'the URL of the toolset plus /.well-known/rap-toolset',
              actual: astray.url,
            },
            cite(astray),
          )
        }
        if (!unknown) return pass(`${fetched.length} times`, cite(...fetched.slice(0, 2)))
        if (!declared.owned) {
          return inconclusive(
            'the runtime was started before this run and may already know the toolsets: restart it',
          )
        }
        return violation(
          'a tool was invoked whose toolset had not been discovered',
          {
            expected: `GET ${originOf(unknown)}/.well-known/rap-toolset before`,
            actual: 'no such request',
          },
          cite(unknown),
        )
      },
    ),
    check(
      'rap-oauth/runtime/isolate-conversations',
      'keeps all conversations of the run apart for the model',
      isolates(2),
    ),
    check(
      'rap-oauth/runtime/user-id-of-own-user',
      'calls tools for the users who asked',
      identifiesUsers(),
    ),
    check('rap-oauth/runtime/unique-call-id', 'gives every call an id of its own', uniqueIds()),
    check('rap-oauth/runtime/discard-auth-url', 'does not log the URLs', (t, { declared }) => {
      if (!declared.logs) return notApplicable('its output is not known, and no logs are declared')
      const tokens = t
        .steps('deliver')
        .map(({ detail }) => String(detail['token']))
        .filter((token) => token.startsWith('url-'))
      if (tokens.length === 0) return inconclusive('no authorization URL was sent')
      const isLog = (source: string): boolean =>
        logSource.test(source) && !declared.outputSurfaces.some((each) => source.endsWith(each))
      const lines = t.outputs().filter(({ source }) => isLog(source))
      const leaking = lines.find(({ text }) => {
        const words = readingsOf(text).join('\n')
        return tokens.some((token) => words.includes(token))
      })
      if (!leaking && !declared.owned && lines.length === 0) {
        return inconclusive('the declared log files are empty')
      }
      if (!leaking) return pass(`${tokens.length} URLs, ${lines.length} lines`)
      return violation(
        'an authorization URL was logged',
        { expected: 'nothing of the URL', actual: leaking.text.slice(0, 300) },
        cite(leaking),
      )
    }),
  ],
})
