/** What every credential request is: an AuthConfig, for a call that was paused, long-running (ADK Authentication). */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Check,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { authUriOf, fieldsOf, member, stateBeside, type CredentialRequest } from '../../wire.ts'
import { check, type Judge } from '../checks.ts'
import type { Declared } from '../configuration.ts'
import type { CallView } from '../view.ts'

/** Whole toolsets are authorized under such ids, before any tool is called. */
const toolsetPrefix = '_adk_toolset_auth_'

/** Judges every request of some calls. */
export function requestChecks(
  callsIn: (t: Transcript) => readonly CallView[],
): readonly Check<Declared>[] {
  const every =
    (
      wrongOf: (calls: readonly CallView[]) => Wrong,
      message: string,
      isJudged: (call: CallView) => boolean = () => true,
    ): Judge =>
    (t) => {
      const calls = callsIn(t).filter(isJudged)
      const wrong = wrongOf(calls)
      const requests = calls.flatMap((call) => call.requests)
      if (requests.length === 0) return inconclusive('no credential request came')
      for (const request of requests) {
        const difference = wrong(request)
        if (difference) return violation(message, difference, cite(request.event))
      }
      return pass(`${requests.length} requests`, cite(requests[0]?.event))
    }
  const namesCall = every(
    (calls) => {
      const ids = calls.flatMap((call) => call.calls.map(({ id }) => id))
      return ({ paused }) =>
        paused !== undefined && (ids.includes(paused) || paused.startsWith(toolsetPrefix))
          ? undefined
          : { expected: 'the id of the call that waits for it', actual: show(paused) }
    },
    'a credential request does not name the call that waits for it',
    ({ calls }) => calls.length > 0,
  )
  return [
    check(
      'adk-credential/agent/request-carries-auth-config',
      'sends the AuthConfig with it',
      every(() => wrongConfig, 'a credential request lacks a part of its AuthConfig'),
    ),
    check(
      'adk-credential/agent/request-names-paused-call',
      'names the paused call',
      (t, context) => {
        const isSeen = callsIn(t).some(({ calls }) => calls.length > 0)
        return isSeen ? namesCall(t, context) : inconclusive('no event has the call of the tool')
      },
    ),
    check(
      'adk-credential/agent/request-long-running',
      'lists it as long-running',
      every(
        () =>
          ({ id, longRunning }) =>
            longRunning
              ? undefined
              : { expected: `${show(id)} in longRunningToolIds`, actual: 'not listed' },
        'a credential request is not marked as long-running',
      ),
    ),
  ]
}

/** What is wrong with a credential request, where something is. */
type Wrong = (
  request: CredentialRequest,
) => { readonly expected: string; readonly actual: string } | undefined

function wrongConfig(request: CredentialRequest) {
  const { config, dialect } = request
  for (const name of ['authScheme', 'rawAuthCredential']) {
    const part = fieldsOf(member(config, name))
    if (Object.keys(part).length === 0)
      return { expected: name, actual: show(member(config, name)) }
  }
  const authUri = authUriOf(request)
  if (dialect === 'response') return undefined
  if (authUri === undefined || !URL.canParse(authUri))
    return { expected: 'exchangedAuthCredential.oauth2.authUri, a URL', actual: show(authUri) }
  const [state, beside] = [new URL(authUri).searchParams.get('state'), stateBeside(request)]
  // Who has pushed the request (RFC 9126) has the state there.
  if (beside === undefined || state === null || beside === state) return undefined
  return { expected: `the state of authUri, ${show(state)}, or none beside it`, actual: beside }
}
