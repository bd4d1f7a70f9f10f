/** Judgements about secrets that went where they must not. What the harness itself has sent and reads back is no leak. */

import {
  cite,
  inconclusive,
  jsonOf,
  pass,
  perTranscript,
  unreadKind,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Place } from '../../../oauth-client/scenarios/index.ts'
import { shownSecret } from '../../shown-secret.ts'
import { eventsIn, fieldsOf, member } from '../../wire.ts'
import type { Judge } from '../checks.ts'

const secret = [
  'access_token',
  'refresh_token',
  'authorization_code',
  'id_token',
  'client_secret',
  'code_verifier',
]

/** When the harness has sent each secret first, by its id. */
const sentFirst = (t: Transcript) => sent(t, 'sent by the harness')

const sent = perTranscript((t) => {
  const first = new Map<string, RecordedEvent>()
  for (const request of t.requests('api')) {
    for (const { id } of request.secrets ?? []) if (!first.has(id)) first.set(id, request)
  }
  return first
})

/** An answer of the API that holds a secret which the client application did not have before. */
function isFromAgent(method: string): Place {
  return (event, sighting, t) => {
    if (event.type !== 'response' || event.channel !== 'api') return false
    if (methodsOf(t).get(`${event.scenario}/${event.exchange}`) !== method) return false
    const known = sighting && sentFirst(t).get(sighting.id)
    return !known || known.t > event.t
  }
}

const methodsOf = (t: Transcript) => methods(t, 'methods')

const methods = perTranscript(
  (t) =>
    new Map(t.requests('api').map((each) => [`${each.scenario}/${each.exchange}`, each.method])),
)

/** Events in the answer to a message. */
export const isAnswer = isFromAgent('POST')
/** A session as it is read. */
export const isRead = isFromAgent('GET')

export const secretsNotToModel: Judge = (t) => {
  const issued = t.provider('grant').filter(({ detail }) => detail['outcome'] === 'issued')
  if (issued.length === 0) return inconclusive('no token was issued in the whole run')
  const asked = t.requests('model')
  for (const event of asked) {
    const leak = event.secrets?.find(({ kind }) => secret.includes(kind))
    if (leak) {
      return violation(
        `${leak.kind} (${leak.id}) was sent to the model`,
        { expected: 'nothing secret', actual: `${leak.at}, ${leak.encoding}` },
        cite(event),
      )
    }
  }
  const unread = asked.find(({ secrets }) => secrets?.some(({ kind }) => kind === unreadKind))
  if (unread) return inconclusive('a request is nested beyond what is read', cite(unread))
  if (asked.length === 0) return inconclusive('the model was never asked')
  return pass(`${asked.length} requests scanned`, cite(...asked.slice(0, 3)))
}

const token = shownSecret(['access_token', 'refresh_token'])

export const stateWithoutTokens: Judge = (t) => {
  const issued = t.provider('grant').find(({ detail }) => detail['outcome'] === 'issued')
  if (!issued) return inconclusive('no token was issued in the whole run')
  const answers = t.requests('api').flatMap((request) => {
    const answer = t.answer(request)
    return answer?.type === 'response' && answer.status < 400 ? [{ request, answer }] : []
  })
  const reads = answers.filter(({ request }) => request.method === 'GET')
  if (reads.length === 0) return inconclusive('no session could be read')
  for (const { request, answer } of answers) {
    const states =
      request.method === 'GET'
        ? [member(fieldsOf(jsonOf(answer.body)), 'state')]
        : eventsIn(answer.body).map((event) => member(fieldsOf(event['actions']), 'stateDelta'))
    const found = states.find((state) => token.test(JSON.stringify(state ?? null)))
    if (found === undefined) continue
    return violation(
      'the state of a session holds a token',
      { expected: 'no token in state or stateDelta', actual: JSON.stringify(found).slice(0, 300) },
      cite(request, answer),
    )
  }
  return pass(`${answers.length} answers`, cite(...reads.map(({ answer }) => answer).slice(0, 3)))
}
