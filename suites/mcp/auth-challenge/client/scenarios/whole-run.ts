import { pass, type Judgement } from '../../../../../harness/engine/index.ts'
import {
  arrivedStates,
  challengesDiffer,
  isOwnPage,
  leakChecks,
  statesDiffer,
  type Place,
  type StateUse,
} from '../../../../oauth-client/scenarios/index.ts'
import { statesVary } from '../../../../oauth-client/varying-states.ts'
import { sentChannel } from '../../../wire/link.ts'
import { check, type Judge } from '../judges/judge.ts'
import { handoff } from '../handoff.ts'
import { alwaysNamesResource } from '../judges/following.ts'
import { tokensOutOfDiscovery, tokensOutOfUrls } from '../judges/tokens.ts'
import { repeatsNothing } from '../judges/retrying.ts'
import { asked } from './asked.ts'
import { scenario } from './define.ts'

/** What its user is shown; the standard error is a log. */
const isShown: Place = (event) => event.type === 'surface' && event.source !== 'stderr'

/** The URL that is opened. */
const isOpened: Place = (event) => event.type === 'step' && event.action === 'opened'

/** Messages to an MCP server, which get a token in one header, or in the URL (a row of its own); and pages for the browser. */
const isSent: Place = (event, sighting, t) => {
  if (event.type !== 'request' || event.channel !== sentChannel)
    return isOwnPage(event, sighting, t)
  const isJudgedElsewhere = ['headers.authorization', 'url'].includes(sighting?.at ?? '')
  return !(sighting?.kind === 'access_token' && isJudgedElsewhere)
}

/** A client may do without state where its verifiers do the same work (RFC 9700 §2.1). */
const freshStates: Judge = (t) => {
  const requests = t.provider('authorization-request')
  const bare = requests.filter(({ detail }) => detail['state'] === undefined)
  const isVerified = bare.every(({ detail }) => detail['codeChallengeMethod'] === 'S256')
  return bare.length > 1 && bare.length === requests.length && isVerified
    ? pass(`${bare.length} requests have a code challenge in place of a state`)
    : randomStates(arrivedStates(t, handoff))
}

/** New each time, and too long to be guessed. */
function randomStates(uses: readonly StateUse[]): Judgement {
  const judgement = statesDiffer(uses)
  const states = [...new Set(uses.map(({ state }) => state))]
  return judgement.outcome === 'pass' ? statesVary(states, states, judgement.evidence) : judgement
}

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'mcp-auth-challenge/client/token-to-own-origin',
      'sends no token along when it fetches metadata',
      tokensOutOfDiscovery,
    ),
    check(
      'mcp-auth-challenge/client/no-retry-without-token',
      'repeats nothing where a flow has failed',
      repeatsNothing,
    ),
    check(
      'mcp-auth-challenge/client/token-not-in-url',
      'sends tokens in a header alone',
      tokensOutOfUrls,
    ),
    check(
      'mcp-auth-challenge/client/resource-parameter',
      'says at every request which server the token is for',
      alwaysNamesResource,
    ),
    check('oauth-client/state-unpredictable', 'takes no state twice', freshStates),
    challengesDiffer,
    ...asked(leakChecks({ result: isShown, asked: isOpened, other: isSent })),
  ],
})
