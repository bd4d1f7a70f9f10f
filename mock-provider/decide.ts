/** Carries out the user's decision: issues a code or an error, disturbed by the faults it comes with. */
import type { Authorization } from './authorization.ts'
import { respond } from './authorization-response.ts'
import type { Exchange } from './exchange.ts'
import type { ActiveFault } from './fault-switch.ts'
import type { CodeBinding, Fault, ResponseParameters, Situation } from './faults/fault.ts'
import type { FaultSpec } from './faults/index.ts'
import { defaultSubject } from './pages.ts'
import type { Reply } from './reply.ts'
import type { ProviderState } from './state.ts'
import { fire, situationOf } from './with-faults.ts'

/** What `POST /authorize/{id}/decision` takes. */
export interface Decision {
  readonly action: 'approve' | 'deny' | 'error'
  /** The error code for the action `error`. Default: server_error. */
  readonly error?: string | undefined
  readonly error_description?: string | undefined
  /** Who approves. */
  readonly subject?: string | undefined
  /** What is granted. Default: everything that was requested. */
  readonly scopes?: readonly string[] | undefined
  /** Faults for this authorization from here on. Default: those already switched on. */
  readonly faults?: readonly FaultSpec[] | undefined
  /** Seconds that successive access tokens live; the last repeats. */
  readonly access_token_lifetimes?: readonly number[] | undefined
}

/** Alters a value by the faults that have something to say about it. */
type Disturb = <T>(
  aspect: (fault: Fault) => ((value: T, situation: Situation) => T) | undefined,
  value: T,
) => T

/** Decides an undecided authorization and sends the user agent back to the client. */
export function decide(
  state: ProviderState,
  exchange: Exchange,
  authorization: Authorization,
  decision: Decision,
): Reply {
  if (decision.faults) authorization.faults.set(decision.faults)
  authorization.accessTokenLifetimes = decision.access_token_lifetimes ?? []
  authorization.decided = true

  const active = authorization.faults.active('authorize')
  const refusing = active.find(({ fault }) => fault.refuse !== undefined)
  const error = refusing?.fault.refuse ?? errorOf(decision)
  const effective = active.filter(({ fault }) => error === undefined || !fault.bind)
  effective.forEach((each) => fire(exchange, each))
  const disturb = disturber(state, exchange, effective)

  const outcome: ResponseParameters =
    error === undefined
      ? { code: issueCode(state, authorization, decision, disturb) }
      : { error, error_description: decision.error_description }
  const parameters = {
    ...outcome,
    state: authorization.request.state,
    // RFC 9207 §2: in every response, errors included
    iss: state.settings.issuer,
  }
  const reply = respond(
    authorization.request,
    disturb<ResponseParameters>((fault) => fault.respond, parameters),
  )
  exchange.log({
    type: 'decision',
    action: decision.action,
    subject: authorization.subject,
    faults: authorization.faults.ids,
    location: reply.headers['location'] ?? '',
  })
  return reply
}

/** RFC 6749 §4.1.2.1. */
function errorOf({ action, error }: Decision): string | undefined {
  if (action === 'approve') return undefined
  return action === 'deny' ? 'access_denied' : (error ?? 'server_error')
}

function disturber(
  state: ProviderState,
  exchange: Exchange,
  effective: readonly ActiveFault[],
): Disturb {
  return (aspect, value) =>
    effective.reduce((altered, each) => {
      const alter = aspect(each.fault)
      return alter ? alter(altered, situationOf(state, exchange, each)) : altered
    }, value)
}

/** Issues the code, bound to all that it has to be redeemed with (RFC 6749 §4.1.2, RFC 7636 §4.4). */
function issueCode(
  { settings, clock, opaque, codes, ledger }: ProviderState,
  authorization: Authorization,
  decision: Decision,
  disturb: Disturb,
): string {
  const { request } = authorization
  const subject = decision.subject ?? defaultSubject
  authorization.subject = subject
  authorization.scopes = decision.scopes ?? request.scopes
  const code = disturb<CodeBinding>((fault) => fault.bind, {
    value: opaque('ac_'),
    clientId: request.client.clientId,
    subject,
    codeChallenge: request.codeChallenge,
    expiresAt: clock.now() + settings.lifetimes.code * 1000,
  })
  codes.set(code.value, {
    ...code,
    codeChallengeMethod: code.codeChallenge && (request.codeChallengeMethod ?? 'S256'),
    authorization,
    ageAtIssue: authorization.age,
    redeemed: false,
  })
  ledger.record({
    kind: 'authorization_code',
    value: code.value,
    authorization: authorization.id,
    clientId: request.client.clientId,
  })
  return code.value
}
