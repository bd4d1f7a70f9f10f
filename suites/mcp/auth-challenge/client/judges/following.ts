/** Judgements about the way from a challenge to a token. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { codeGrants } from '../../../../oauth-client/view.ts'
import { coveredBy } from '../../resource.ts'
import { sentChannel } from '../../../wire/link.ts'
import { textIn } from '../../../wire/values.ts'
import { callOf, callsOf, flowAfter, metadataRequests, placesOf, type CallView } from '../view.ts'
import { furtherScope, offeredScopes, tools } from '../vocabulary.ts'
import type { Judge } from './judge.ts'

/** The metadata was fetched, and a flow began at the provider that it names. */
export const followsChain =
  (name = 'call-1'): Judge =>
  (t) => {
    const call = callOf(t, name)
    const [challenge] = call.challenges
    if (!challenge) return inconclusive('the client was not challenged')
    const request = call.authorizationRequests.find((each) => isAfter(each, challenge.event))
    if (!request) return withoutFlow(t, call)
    const [metadata] = metadataRequests(t)
    if (metadata) return pass('metadata, then a flow', cite(challenge.event, metadata, request))
    return violation(
      'the metadata that the challenge names was never fetched',
      { expected: 'a GET of resource_metadata', actual: 'a flow without it' },
      cite(challenge.event, request),
    )
  }

/** Where a later challenge leads to a flow, or the same one by HTTP, the client could have followed the first one, too. */
function withoutFlow(t: Transcript, { name, challenges }: CallView) {
  const challenge = challenges[0]?.event
  const later = [...t.steps('opened'), ...t.provider('authorization-request')]
    .filter((event) => event.call !== name && isAfter(event, challenge))
    .toSorted((a, b) => a.seq - b.seq)[0]
  const refused = t
    .requests(sentChannel)
    .map((request) => t.answer(request))
    .find((answer) => answer?.type === 'response' && answer.status === 401)
  if (!later) {
    const both = refused ? ', and HTTP 401 to none either (drive.terminal.signIn?)' : ''
    return inconclusive(`the challenge led to no flow${both}`, cite(challenge))
  }
  const isByHttp = isAfter(later, refused)
  return violation(
    isByHttp
      ? 'the client signs in for HTTP 401, but not for the same challenge in the result of a tool'
      : 'the first challenge, an array, led to no flow, but a later one, a string, did',
    {
      expected: 'a flow for the first challenge',
      actual: 'nothing was opened or requested for it',
    },
    cite(challenge, isByHttp ? refused : undefined, later),
  )
}

const nobodyFollows = 'an array of one challenge led to no flow either'

/** The flow to which the first challenge of a client led, where nothing is unusual. */
function usualFlow(control: Transcript | undefined) {
  return control && flowAfter(callOf(control), callOf(control).challenges[0]?.event)
}

/** The same need, said in another form that is as good. */
export const acceptsForm =
  (form: string): Judge =>
  (t, { control }) => {
    const call = callOf(t)
    const [challenge] = call.challenges
    if (!challenge) return inconclusive('the client was not challenged')
    const flow = flowAfter(call, challenge.event)
    if (flow) return pass('a flow began', cite(challenge.event, flow))
    const waited = gaveUpAfter(t, call.name)
    if (!usualFlow(control)) return inconclusive(nobodyFollows)
    if (waited === undefined) return inconclusive('the run did not wait for what happens next')
    return violation(
      `${form} is not understood`,
      {
        expected: 'a flow, as for an array of one challenge',
        actual: `nothing within ${waited} ms`,
      },
      cite(challenge.event),
    )
  }

/** A later challenge of the same client is followed as well. */
export const followsLater =
  (name: string): Judge =>
  (t, { control }) => {
    const call = callOf(t, name)
    const [challenge] = call.challenges
    if (!challenge) return inconclusive('there was no later challenge')
    if (!usualFlow(control)) return inconclusive(nobodyFollows, cite(challenge.event))
    const [served] = call.served
    if (served && isAfter(served.event, challenge.event))
      return pass('a later challenge was followed', cite(challenge.event, served.event))
    const waited = gaveUpAfter(t, name)
    const flow = flowAfter(call, challenge.event)
    if (waited === undefined || flow)
      return inconclusive('the run did not wait for what happens next', cite(challenge.event, flow))
    return violation(
      'a later challenge of the same client led to nothing',
      { expected: 'a flow, or a token that is refreshed', actual: `nothing within ${waited} ms` },
      cite(challenge.event),
    )
  }

/** The second call has a token, and is challenged for a scope that this lacks. */
export const asksForFurtherScope: Judge = (t) => {
  const [first, call] = [callOf(t), callOf(t, 'call-2')]
  const [challenge] = call.challenges
  if (!challenge || !call.attempts[0]?.authorized)
    return inconclusive('no call with a token was challenged for a scope')
  const before = first.authorizationRequests.find(asksFor(furtherScope))
  if (before) return inconclusive('the scope had been requested before', cite(before))
  const requests = call.authorizationRequests.filter((each) => isAfter(each, challenge.event))
  const found = requests.find(asksFor(furtherScope))
  if (found) return pass(`it requests ${furtherScope}`, cite(challenge.event, found))
  const next = call.attempts.find(({ event }) => isAfter(event, challenge.event))
  const [request] = requests
  const wrong = (actual: string) =>
    violation(
      'the scope that the challenge names is not requested',
      { expected: `an authorization request with the scope ${furtherScope}`, actual },
      cite(challenge.event, request ?? next?.event),
    )
  if (request) return wrong(`scopes ${show(request.detail['scopes'])}`)
  if (next) return wrong('the call is made again without one')
  const waited = gaveUpAfter(t, call.name)
  if (waited === undefined)
    return inconclusive('the run did not wait for what happens next', cite(challenge.event))
  return wrong(`nothing within ${waited} ms`)
}

/** The challenge names no scope, so the metadata says what is wanted. */
export const asksForOfferedScopes: Judge = (t) => {
  const call = callOf(t)
  const [challenge] = call.challenges
  if (!challenge) return inconclusive('the client was not challenged')
  const request = call.authorizationRequests.find((each) => isAfter(each, challenge.event))
  if (!request) return inconclusive('no flow followed', cite(challenge.event))
  const evidence = cite(challenge.event, request)
  if (offeredScopes.every((scope) => asksFor(scope)(request)))
    return pass(`it requests ${offeredScopes.join(' ')}`, evidence)
  return violation(
    'the scopes of the metadata are not requested',
    {
      expected: `an authorization request with scope=${offeredScopes.join(' ')}`,
      actual: `scopes ${show(request.detail['scopes'])}`,
    },
    evidence,
  )
}

const asksFor =
  (scope: string) =>
  ({ detail: { scopes } }: Detailed): boolean =>
    Array.isArray(scopes) && scopes.includes(scope)

/** The server of which a call has a tool; each client of a scenario has servers of its own. */
function serversOf(t: Transcript, { begun }: CallView): readonly string[] {
  const index = begun?.detail['tool'] === tools[1] ? 1 : 0
  return t
    .steps('client')
    .map(({ detail: { servers } }) => (Array.isArray(servers) ? textIn(servers[index]) : ''))
}

/** What a request names by `resource`. */
function resourcesIn({ detail: { resource } }: Detailed): readonly string[] {
  return Array.isArray(resource) ? resource.map(String) : []
}

/** Whether it names one of these servers, or what stands above it. */
export function isNamed(event: Detailed, servers: readonly string[]): boolean {
  return resourcesIn(event).some((value) =>
    servers.some((server) => coveredBy(value, server, (origin) => origin)),
  )
}

interface Detailed {
  readonly detail: Readonly<Record<string, unknown>>
}

/** The same of every flow, and of every token that is refreshed. */
export const alwaysNamesResource: Judge = (t) => {
  const asked = [...partsOf(t).values()].flatMap((part) =>
    callsOf(part).flatMap((call) => {
      const servers = serversOf(part, call)
      const requests = call.authorizationRequests.filter(({ detail }) => detail['valid'] === true)
      return [...requests, ...call.grants].map((event) => ({ event, servers }))
    }),
  )
  const wrong = asked.find(({ event, servers }) => !isNamed(event, servers))
  if (wrong) {
    const found = resourcesIn(wrong.event)
    return violation(
      'a request to the provider does not say that the token is for the server that is called',
      {
        expected: `resource=${wrong.servers.join(' or ')}`,
        actual: found.length > 0 ? show(found) : 'no resource',
      },
      cite(wrong.event),
    )
  }
  if (asked.length === 0) return inconclusive('nothing was asked of the provider')
  return pass(`${asked.length} requests`, cite(...asked.slice(0, 3).map(({ event }) => event)))
}

/** `resource` names the server that is called, at both endpoints (RFC 8707 §2). */
export const namesResource: Judge = (t) => {
  const call = callOf(t)
  const [request] = call.authorizationRequests
  const [endpoint] = placesOf(t).servers
  if (!request) return inconclusive('no authorization request reached the provider')
  const [exchange] = codeGrants(call)
  if (!exchange) return inconclusive('no token request reached the provider', cite(request))
  const wanted = [
    ['authorization request', request],
    ['token request', exchange],
  ] as const
  const [wrong] = wanted.filter(([, event]) => !isNamed(event, [endpoint]))
  if (!wrong) return pass(resourcesIn(exchange).join(' '), cite(request, exchange))
  const [where, event] = wrong
  const found = resourcesIn(event)
  return violation(
    `the ${where} does not say that the token is for this server`,
    { expected: `resource=${endpoint}`, actual: found.length > 0 ? show(found) : 'no resource' },
    cite(request, exchange),
  )
}
