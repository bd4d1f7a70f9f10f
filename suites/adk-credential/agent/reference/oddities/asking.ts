/** Oddities of when a user is asked again. */

import { CallFailure } from '../failure.ts'
import type { Callback, Flow } from '../oauth.ts'
import type { Parts } from '../parts.ts'
import type { Oddity } from './oddity.ts'

const logic = 'ADK Authentication, Authentication Logic within the Tool Function'

export const askingOddities: readonly Oddity[] = [
  {
    id: 'asks-again-after-failure',
    description: 'a call that could not be carried out with its credential asks for a new one',
    permitted: `${logic}, Step 6: return auth_required again`,
    touches: [
      'denied-consent',
      'certificate-of-impostor-at-api',
      'certificate-of-unknown-authority',
      'exchange-token-error-500',
      'stored-token-resource-error-500',
      'restart-while-pending',
    ],
    parts: (defaults) => ({
      describeFailure: (error) =>
        error instanceof CallFailure && error.code !== 'unknown-tool'
          ? undefined
          : defaults.describeFailure(error),
    }),
  },
  {
    id: 'open-requests-shown-again',
    description: 'beside a new request those of its session that wait are shown once more, first',
    permitted: 'ADK Authentication: an event may be shown again; its id says that it is the same',
    touches: [
      'two-pauses',
      'two-pauses-with-other-arguments',
      'two-configurations',
      'callback-of-another-request',
    ],
    parts: (defaults) => {
      const shown = new Map<string, ReturnType<typeof defaults.requestSaid>>()
      const openBeside = new Map<string, readonly string[]>()
      return {
        insteadOfAsking(session, call) {
          openBeside.set(
            call.id,
            session.pending.map(({ id }) => id),
          )
          return undefined
        },
        requestSaid(id, call, authConfig, dialect) {
          const own = defaults.requestSaid(id, call, authConfig, dialect)
          const again = (openBeside.get(call.id) ?? []).flatMap((each) => shown.get(each) ?? [])
          shown.set(id, own)
          const all = [...again, own]
          return {
            ...own,
            parts: all.flatMap(({ parts }) => parts),
            longRunningToolIds: all.flatMap((each) => each.longRunningToolIds ?? []),
          }
        },
      }
    },
  },
  {
    id: 'title-beside-the-turn',
    description:
      'the model is asked for a title of the session, without tools, when it has answered',
    permitted:
      'ADK Authentication: the invocation waits; what else is asked of a model is not said',
    touches: ['paused', 'consent-and-complete', 'two-pauses'],
    parts: (defaults) => ({
      async askModel(model, fetch, contents) {
        const answered = await defaults.askModel(model, fetch, contents)
        const text = `Write a title for: ${JSON.stringify(contents[0]?.parts)}`
        await fetch(`${model.url}/v1beta/models/${model.name}:generateContent`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-goog-api-key': model.key },
          body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text }] }] }),
        })
        return answered
      },
    }),
  },
  {
    id: 'flows-forgotten-at-restart',
    description:
      'state and verifier are in memory: who answers after a restart is asked once more for the same call',
    permitted: `${logic}, Step 3: without a valid credential or answer it is asked for`,
    touches: ['restart-while-pending', 'callback-replayed-after-restart'],
    parts: (defaults) => {
      const made = new Set<string>()
      return {
        newState() {
          const state = defaults.newState()
          made.add(state)
          return state
        },
        ...asksAnewAfter(defaults, ({ state }) => !made.has(state)),
      }
    },
  },
  {
    id: 'asks-anew-after-wrong-answer',
    description:
      'an answer that does not fit withdraws its request: the call asks once more, under another id',
    permitted: `${logic}, Step 3: without a valid credential or answer it is asked for`,
    touches: [
      'state-altered',
      'error-with-state-altered',
      'error-with-state-missing',
      'issuer-wrong',
      'callback-without-code-and-error',
    ],
    parts: (defaults) => asksAnewAfter(defaults, (_, callback) => callback === undefined),
  },
]

/** Such a callback has the call ask its user once more. */
function asksAnewAfter(
  defaults: Parts,
  isSuch: (flow: Flow, callback: Callback | undefined) => boolean,
): Partial<Parts> {
  const lost = new CallFailure('authorization-failed')
  return {
    readCallback(config, flow, ...rest) {
      const callback = defaults.readCallback(config, flow, ...rest)
      return isSuch(flow, callback) ? { parameters: new URLSearchParams() } : callback
    },
    exchangeCode(config, fetch, grant) {
      if (grant.parameters.size === 0) throw lost
      return defaults.exchangeCode(config, fetch, grant)
    },
    describeFailure: (error) => (error === lost ? undefined : defaults.describeFailure(error)),
  }
}
