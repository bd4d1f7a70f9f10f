/** Judgements about what a client must not fall for. */

import {
  cite,
  gaveUpAfter,
  inconclusive,
  isAfter,
  mark,
  notApplicable,
  pass,
  pathOf,
  violation,
  watched,
  withoutEscapes,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { answeredCallback } from '../../../../oauth-client/arrival.ts'
import { leavesImpostor } from '../../../../oauth-client/impostor.ts'
import { elsewhereCall } from '../../../../oauth-client/vocabulary.ts'
import { textIn } from '../../../wire/values.ts'
import { callOf, flowAfter, metadataRequests, type CallView } from '../view.ts'
import { metadataChanged, signInText, trapChannel } from '../vocabulary.ts'
import { noFlow, watchedChallenge, type Judge } from './judge.ts'

/** What is no error is no challenge. */
export const needsErrorFlag: Judge = (t, { control }) =>
  noFlow(t, callOf(t), {
    control,
    why: 'a result without isError was treated as a challenge',
    passes: (evidence) => pass('no flow began', evidence),
  })

/** Metadata of another resource leads nowhere. */
export const refusesOtherResource: Judge = (t, { control }) =>
  noFlow(t, callOf(t), {
    control,
    why: 'the client used metadata of another resource',
    passes(evidence) {
      const [fetched] = metadataRequests(t)
      return fetched
        ? pass('no flow began', [...evidence, ...cite(fetched)])
        : inconclusive('the metadata was not fetched', evidence)
    },
  })

/** The same of metadata that has changed; who goes on with what they read before does nothing wrong. */
export const refusesChangedResource: Judge = (t, { control }) => {
  const call = callOf(t, 'call-2')
  const changed = mark(t, metadataChanged)
  const fetched = changed && metadataRequests(t).find((request) => isAfter(request, changed))
  if (!fetched) return inconclusive('the metadata was not fetched again', cite(changed))
  return noFlow(t, call, {
    control,
    why: 'the client used metadata of another resource when it signed in again',
    passes: (evidence) => pass('no flow began', [...evidence, ...cite(fetched)]),
  })
}

/** Such metadata of an authorization server leads nowhere. */
const refusesServer =
  (why: string): Judge =>
  (t, { control }) =>
    noFlow(t, callOf(t), {
      control,
      why,
      passes(evidence) {
        const fetched = serverMetadataRequest(t)
        return fetched
          ? pass('no flow began', [...evidence, ...cite(fetched)])
          : inconclusive(unreadServerMetadata, evidence)
      },
    })

/** RFC 8414 §3.3. */
export const refusesOtherIssuer = refusesServer(
  'the client used metadata of an authorization server that names another issuer',
)

/** MCP Authorization, Authorization Code Protection. */
export const refusesWithoutPkce = refusesServer(
  'the flow began although the metadata of the authorization server names no method in code_challenge_methods_supported',
)

/** RFC 6749 §3.1; whoever opens nothing opens nothing that is unsafe. */
export const opensNoUnsafeEndpoint: Judge = (t, context) =>
  context.declared.opens
    ? refusesServer('an authorization endpoint was opened that is no https URL')(t, context)
    : notApplicable('the client opens no URL itself (declares.opens)')

const unreadServerMetadata = 'the metadata of the authorization server was not fetched'

function serverMetadataRequest(t: Transcript) {
  return t.requests('provider').find(({ url }) => isServerMetadata(url))
}

function isServerMetadata(url: string): boolean {
  return /^\/\.well-known\/(oauth-authorization-server|openid-configuration)/.test(pathOf(url))
}

/** Nothing is fetched where there is no TLS. */
export const fetchesNoTrap: Judge = (t, { control }) => {
  const [fetched] = t.requests(trapChannel)
  const call = callOf(t)
  const [challenge] = call.challenges
  if (fetched) {
    return violation(
      'a URL without TLS was fetched because a server named it',
      { expected: 'no request', actual: `${fetched.method} ${fetched.url}` },
      cite(challenge?.event, fetched),
    )
  }
  const reached = watchedChallenge(t, call, control)
  return typeof reached === 'string' ? inconclusive(reached) : pass('nothing was fetched', reached)
}

/** The same, of what a redirect or a document names: the client has to have read that. */
export const fetchesNoTrapBehind: Judge = (t, context) => {
  const judgement = fetchesNoTrap(t, context)
  if (judgement.outcome !== 'pass') return judgement
  const [fetched] = metadataRequests(t)
  if (fetched) return { ...judgement, evidence: [...judgement.evidence, ...cite(fetched)] }
  return inconclusive('the metadata was not fetched', judgement.evidence)
}

/** RFC 8414 §6.1: who checks the certificate leaves before anything is asked. */
export const asksImpostorNothing: Judge = (t) => {
  const judged = leavesImpostor(
    t,
    () => true,
    'the certificate of the authorization server was not checked when its metadata was fetched: anybody on the way can name other endpoints',
  )
  return judged.outcome === 'pass' && watched(t) === undefined
    ? inconclusive('the run did not watch what happened next')
    : judged
}

/** The metadata of the authorization server redirects to where there is no TLS; whether a flow begins all the same is not judged. */
export const fetchesNothingInClear: Judge = (t, { control }) => {
  const call = callOf(t)
  const [sent] = t.requests('callback', elsewhereCall)
  if (sent) {
    return violation(
      'a URL without TLS was fetched because an authorization server redirects there',
      { expected: 'no request', actual: `${sent.method} ${sent.url}` },
      cite(call.challenges[0]?.event, sent),
    )
  }
  const reached = watchedChallenge(t, call, control)
  if (typeof reached === 'string') return inconclusive(reached)
  const fetched = serverMetadataRequest(t)
  return fetched
    ? pass('the redirect was not followed', [...reached, ...cite(fetched)])
    : inconclusive(unreadServerMetadata, reached)
}

/** No code goes to a token endpoint without TLS: no flow begins, or it ends with the callback. */
export const redeemsNothingInClear: Judge = (t, context) => {
  const call = callOf(t)
  const challenge = call.challenges[0]?.event
  const [sent] = t.requests('callback', elsewhereCall)
  if (sent) {
    return violation(
      'a token request went to an endpoint without TLS',
      { expected: 'no request', actual: `${sent.method} ${sent.url}` },
      cite(challenge, sent),
    )
  }
  if (!flowAfter(call, challenge)) return refusesServer('a flow began')(t, context)
  const reached = answeredCallback(t, call.name, 'code')
  if (typeof reached === 'string') return inconclusive(reached)
  if (watched(t) === undefined) return inconclusive('the run did not watch what happened next')
  return pass('the code was not sent there', reached)
}

/** Where nothing else can be done about a challenge, its words are shown. */
export const showsContent: Judge = (t) => {
  const call = callOf(t)
  const [challenge] = call.challenges
  if (!challenge) return inconclusive('the client was not challenged')
  const found = shownContent(call)
  const flow = flowAfter(call, challenge.event)
  if (found) return pass('its user read why', cite(challenge.event, found))
  // The row is about where none can begin.
  if (flow) return notApplicable('the client begins a flow all the same')
  const waited = gaveUpAfter(t, call.name)
  if (waited === undefined) return inconclusive('the run did not wait for what is shown')
  return violation(
    'the content of the result was not shown to the user',
    { expected: signInText(noteOf(call)), actual: call.shown.at(-1)?.text ?? 'nothing was shown' },
    cite(challenge.event, call.shown.at(-1)),
  )
}

/** What may be broken up, coloured or escaped. */
const letters = (text: string): string =>
  withoutEscapes(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')

/** Where the content of the challenge is shown, perhaps in several lines. */
export function shownContent(call: CallView) {
  const wanted = letters(signInText(noteOf(call)))
  const since = call.challenges[0]?.event
  const after = call.shown.filter((event) => isAfter(event, since))
  return letters(after.map(({ text }) => text).join('')).includes(wanted) ? after[0] : undefined
}

function noteOf({ arguments: args }: CallView): string {
  return textIn(args['note'])
}

/** Broken metadata ends nothing but that flow: the next call gets through. */
export const survives: Judge = (t) => {
  const broken = callOf(t)
  const next = callOf(t, 'call-2')
  const [challenge] = broken.challenges
  if (!challenge) return inconclusive('the client was not challenged')
  if (!metadataRequests(t)[0]) return inconclusive('the metadata was not fetched')
  if (!next.begun) return inconclusive('no further call was asked for', cite(challenge.event))
  const [served] = next.served
  if (served) return pass('the next call got through', cite(challenge.event, served.event))
  const [page] = broken.opened
  if (page && next.attempts.length === 0)
    return inconclusive('the client waits for its user at a page', cite(challenge.event, page))
  const end = t.endOf(next.begun.scenario)
  if (gaveUpAfter(t, next.name) === undefined && end?.outcome !== 'unreached')
    return inconclusive('the run did not wait for it', cite(challenge.event, next.begun))
  return violation(
    'after metadata that cannot be used the client makes no further call',
    { expected: 'the next call of its user', actual: end?.reason ?? 'no call' },
    cite(challenge.event, next.begun),
  )
}
