/** Several redirect URIs are offered. */

import {
  cite,
  inconclusive,
  notOffered,
  pass,
  show,
  violation,
} from '../../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { textIn } from '../../../wire/values.ts'
import { optionsIn } from '../../auth-request.ts'
import { goThrough } from '../going-through.ts'
import type { Call } from '../session.ts'
import { callOf, openedFor, redirectIn, redirectOf, type CallView } from '../view.ts'
import { freePort } from '../../../../../harness/parties/free-port.ts'
import { check, control, ofCall, scenario, type CallJudge, type Judge } from './define.ts'

const [first, second] = ['http://127.0.0.1:{port}/first', 'http://127.0.0.1:{port}/second']

/** Of which nobody at a terminal can catch anything. */
const unsupported = [
  'https://callback.example.com/{session}',
  'com.example.of-nobody://oauth/callback',
]

const localhost = 'http://localhost:{port}/third'

const offers = [
  ['options', 'two redirect URIs are offered', [first, second]],
  ['options-reversed', 'the same in the other order', [second, first]],
  [
    'options-unsupported-first',
    'they stand behind others, which only other clients support',
    [...unsupported, first, second],
  ],
] as const

/** Whether a redirect URI is an option, with its port where it leaves that open. */
function fills(option: string, uri: string): boolean {
  if (!option.includes('{port}')) return uri === option
  const [before = '', after = ''] = option.split('{port}')
  const port = uri.slice(before.length, uri.length - after.length)
  return uri.startsWith(before) && uri.endsWith(after) && /^\d{1,5}$/.test(port)
}

/** Where the redirect goes of what was opened: the URL as it was asked, and as it was opened. */
function redirects(call: CallView) {
  const [asking] = call.askings
  const opened = openedFor(call)
  const asked = textIn(asking?.params['url'])
  const original = redirectIn(asked)
  return { asking, opened, original, actual: redirectOf(opened) }
}

const selectsFirst =
  (expected: string): Judge =>
  (t) => {
    const { asking, opened, actual } = redirects(callOf(t))
    if (!asking || !opened) return inconclusive('nothing was opened')
    const evidence = cite(asking.frame.event, opened)
    if (actual !== undefined && fills(expected, actual)) return pass(actual, evidence)
    return violation(
      'another redirect URI was used than the first one that the client supports',
      { expected, actual: show(actual) },
      evidence,
    )
  }

/** That the redirect URI is the one of the request, or one that was offered. */
export const substitutesNothing: CallJudge = (call) => {
  const { asking, opened, original, actual } = redirects(call)
  if (!asking || !opened) return inconclusive('nothing was opened')
  const evidence = cite(asking.frame.event, opened)
  const options = optionsIn(asking.params)
  const known = actual === original || options.some((each) => fills(each, actual ?? ''))
  if (known) return pass(show(actual), evidence)
  return violation(
    'a redirect URI was used that the server has not offered',
    { expected: [show(original), ...options].join(', '), actual: show(actual) },
    evidence,
  )
}

/** That a client which opens something opens it with a redirect URI of the server. */
const substitutesNothingOrRefuses: CallJudge = (call, ...rest) => {
  const [reply] = call.replies
  return reply && call.opened.length === 0
    ? pass('the client refuses it', cite(reply.event))
    : substitutesNothing(call, ...rest)
}

/** As in the scenario that offers it alone. */
const selectsFirstIfSupported: Judge = (t, context) => {
  const twin = context.control && callOf(context.control)
  const alone = twin && redirects(twin)
  const offered = textIn(alone?.asking && optionsIn(alone.asking.params)[0])
  const here = redirects(callOf(t))
  const [option = ''] = here.asking ? optionsIn(here.asking.params) : []
  if (offered === '' || (!alone?.opened && !twin?.replies[0]))
    return inconclusive('whether the client supports it is not known')
  if (alone?.actual === undefined || !fills(offered, alone.actual))
    return notOffered('it does not listen there, where nothing else is offered')
  return selectsFirst(option)(t, context)
}

/** The user goes through with it, where a client may answer as well that it cannot. */
async function goThroughOrBeRefused(call: Call, options: readonly string[]): Promise<void> {
  await call.ask({ options })
  await call.settled()
  if (call.view().replies.length === 0) await call.accept().catch(unlessUnreached)
  if (call.view().opened.length > 0) await call.comesBack()
  await call.replied()
}

export const optionScenarios = offers.map(([id, title, options]) =>
  scenario({
    id,
    title,
    control,
    drive: async ({ begin }) => goThrough(await begin(), { options }),
    checks: [
      check(
        'mcp-delegated-authorization/client/first-option',
        'selects the first option that it supports',
        selectsFirst(options.find((each) => each.includes('127.0.0.1')) ?? ''),
      ),
      check(
        'mcp-delegated-authorization/client/no-substitution',
        'uses no other redirect URI',
        ofCall(substitutesNothing),
      ),
    ],
  }),
)

const sole = [
  ['options-unsupported', 'redirect URIs are offered that only other clients support', unsupported],
  ['options-localhost', 'a redirect URI at localhost is offered', [localhost]],
] as const

export const soleOptionScenarios = sole.map(([id, title, options]) =>
  scenario({
    id,
    title,
    control,
    drive: async ({ begin }) => goThroughOrBeRefused(await begin(), options),
    checks: [
      check(
        'mcp-delegated-authorization/client/no-substitution',
        'uses no other redirect URI',
        ofCall(substitutesNothingOrRefuses),
      ),
    ],
  }),
)

export const ownSecond = scenario({
  id: 'options-before-that-of-the-url',
  title: 'a redirect URI is offered before that of the URL',
  control,
  async drive({ begin }) {
    const call = await begin()
    await goThrough(call, { options: [second, call.redirectUri] })
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/first-option',
      'selects the one before',
      selectsFirst(second),
    ),
  ],
})

const namedPortFirst = async (): Promise<readonly string[]> => [
  `http://127.0.0.1:${await freePort()}/fixed`,
  second,
]

/** A client may be unable to listen at that very port: then it has the second one, and may not change the first. */
export const fixedPort = scenario({
  id: 'options-fixed-port',
  title: 'the first redirect URI that is offered names its port',
  control,
  drive: async ({ begin }) => goThrough(await begin(), { options: await namedPortFirst() }),
  checks: [
    check(
      'mcp-delegated-authorization/client/no-substitution',
      'leaves the port as it is',
      ofCall(substitutesNothing),
    ),
  ],
})

/** What stands first, and the scenario that shows whether a client supports it, since nothing else is offered there. */
const firstIfSupported = [
  {
    id: 'options-localhost-first',
    title: 'a redirect URI at localhost is offered before one at 127.0.0.1',
    alone: 'options-localhost',
    options: () => Promise.resolve([localhost, second]),
  },
  {
    id: 'options-fixed-port-first',
    title: 'the first redirect URI that is offered names its port, and nothing is in its way',
    alone: 'no-options',
    options: namedPortFirst,
  },
] as const

export const firstIfSupportedScenarios = firstIfSupported.map(({ id, title, alone, options }) =>
  scenario({
    id,
    title,
    control: alone,
    drive: async ({ begin }) => goThroughOrBeRefused(await begin(), await options()),
    checks: [
      check(
        'mcp-delegated-authorization/client/first-option',
        'selects it, if it supports it',
        selectsFirstIfSupported,
      ),
    ],
  }),
)
