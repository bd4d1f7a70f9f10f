import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import {
  arrivedStates,
  challengesDiffer,
  leakChecks,
  othersDataKept,
  statesDiffer,
  tokensInHeaders,
  type Place,
  type StateUse,
} from '../../../../oauth-client/scenarios/index.ts'
import { noPassthrough } from '../../../server/no-passthrough.ts'
import { isFromServer, offWire, saidIn } from '../../../server/off-wire.ts'
import { isValidUrl } from '../../../server/valid-url.ts'
import { textIn } from '../../../wire/values.ts'
import { handoff } from '../handoff.ts'
import { callsOf, type Asking } from '../view.ts'
import { check, scenario, type Judge } from './define.ts'

/** What is wrong with a request: the member, and how it is. */
function wrongMember({ params }: Asking): string | undefined {
  const { url, message, redirect_uri_options: options } = params
  if (!isValidUrl(url)) return `url ${show(url)}`
  if (!/^https?:$/.test(new URL(url).protocol)) return `url ${show(url)}`
  if (typeof message !== 'string' || message.trim() === '') return `message ${show(message)}`
  if (options === undefined) return undefined
  const isList = Array.isArray(options) && options.every((each) => typeof each === 'string')
  return isList ? undefined : `redirect_uri_options ${show(options)}`
}

const validRequests: Judge = (t) => {
  const askings = callsOf(t).flatMap((call) => call.askings)
  for (const asking of askings) {
    const wrong = wrongMember(asking)
    if (wrong === undefined) continue
    return violation(
      'an auth/request is invalid',
      { expected: 'an absolute url, a message, options as texts', actual: wrong },
      cite(asking.frame.event),
    )
  }
  if (askings.length === 0) return inconclusive('nothing was asked in the whole run')
  return pass(`${askings.length} requests`, cite(...askings.slice(0, 3).map((a) => a.frame.event)))
}

/** The state in the URL of a request; none where that was pushed (RFC 9126). */
function stateIn({ params }: Asking): string | null {
  const url = textIn(params['url'])
  return URL.canParse(url) ? new URL(url).searchParams.get('state') : null
}

/** The requests whose URL shows their state: a server may ask for the same URL again, as long as nothing was redeemed. */
const shown = (t: Transcript): StateUse[] =>
  callsOf(t)
    .flatMap((call) => call.askings)
    .flatMap((asking) => {
      const state = stateIn(asking)
      return state === null
        ? []
        : [{ state, flow: asking.params['url'], event: asking.frame.event }]
    })

/** No state is used for two flows: what URLs show, and what arrived at the provider, which tells what was redeemed before. */
const freshStates: Judge = (t) => {
  const [inUrls, arrived] = [statesDiffer(shown(t)), statesDiffer(arrivedStates(t, handoff))]
  return inUrls.outcome === 'inconclusive' || arrived.outcome === 'violation' ? arrived : inUrls
}

const isAsking: Place = (event) =>
  isFromServer(event) && /"method"\s*:\s*"auth\/request"/.test(saidIn(event))

/** What begins a connection ends no call. */
const isHandshake = (event: RecordedEvent): boolean => /"protocolVersion"\s*:/.test(saidIn(event))

const isResult: Place = (event, sighting, t) =>
  isFromServer(event) &&
  !isAsking(event, sighting, t) &&
  !isHandshake(event) &&
  /"(result|error)"\s*:/.test(saidIn(event))

/** Handshakes, notifications, other requests, headers: whatever neither ends a call nor asks for the user. */
const isOther: Place = (event, sighting, t) =>
  isFromServer(event) && !isAsking(event, sighting, t) && !isResult(event, sighting, t)

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'mcp-delegated-authorization/server/request-valid',
      'sends valid requests only',
      validRequests,
    ),
    check(
      'mcp-delegated-authorization/server/tokens-off-wire',
      'sends no token to a client',
      offWire(['access_token', 'refresh_token', 'id_token']),
    ),
    check(
      'mcp-delegated-authorization/server/secrets-off-wire',
      'sends no verifier and no client secret to a client',
      offWire(['code_verifier', 'client_secret']),
    ),
    check(
      'mcp-delegated-authorization/server/no-passthrough',
      'takes no token of a client to the API',
      noPassthrough,
    ),
    ...leakChecks({ result: isResult, asked: isAsking, other: isOther }),
    check('oauth-client/state-unpredictable', 'takes no state twice', freshStates),
    challengesDiffer,
    tokensInHeaders,
    othersDataKept(handoff),
  ],
})
