/** Carries out the user's decision: issues a code or an error, disturbed by the faults it comes with. */
import type { Authorization } from './authorization.ts'
import { respond } from './authorization-response.ts'
import type { Exchange } from './exchange.ts'
import type { ActiveFault } from './fault-switch.ts'
import type { CodeBinding, Fault, ResponseParameters, Situation } from './faults/fault.ts'
import type { FaultSpec } from './faults/index.ts'
import { OAuthError } from './oauth-error.ts'
import { retentionOf } from './options.ts'
import { defaultSubject, finishedPage } from './pages.ts'
import type { Reply } from './reply.ts'
import type { ProviderState } from './state.ts'
import { activeFaults, fire, situationOf } from './with-faults.ts'

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

/**
 * Decides an authorization and sends the user agent back to the client, if it came from there; a
 * device learns of the decision by asking (RFC 8628 §3.4).
 * @throws OAuthError `conflict` when it is decided already
 */
export async function decide(
  state: ProviderState,
  exchange: Exchange,
  id: string,
  decision: Decision,
): Promise<Reply> {
  const authorization = await takeDecision(state, id, decision)
  exchange.authorization = authorization
  if (decision.faults) await state.faults.set(`authorization:${id}`, decision.faults)

  const active = await activeFaults(state, exchange, 'authorize')
  const refusing = active.find(({ fault }) => fault.refuse !== undefined)
  const error = refusing?.fault.refuse ?? errorOf(decision)
  const effective: ActiveFault[] = []
  for (const each of active) {
    if (error !== undefined && each.fault.bind) continue
    if (await fire(exchange, each)) effective.push(each)
  }
  const log = async (location: string) =>
    exchange.log({
      type: 'decision',
      action: decision.action,
      subject: error === undefined ? authorization.subject : undefined,
      faults: await state.faults.ids(`authorization:${id}`),
      location,
    })
  const { redirectUri } = authorization.request
  if (redirectUri === undefined) {
    if (error !== undefined) {
      await state.authorizations.update(id, (each) => ({ ...each, refusal: error }))
    }
    await log('')
    return finishedPage(error === undefined)
  }

  const disturb = disturber(state, exchange, effective)
  const refused = error !== undefined
  const parameters = {
    code: refused ? undefined : await issueCode(state, authorization, disturb),
    error,
    error_description: refused ? decision.error_description : undefined,
    state: authorization.request.state,
    // RFC 9207 §2: in every response, errors included
    iss: state.settings.issuer,
  }
  const reply = respond(
    { redirectUri },
    disturb<ResponseParameters>((fault) => fault.respond, parameters),
  )
  await log(reply.headers['location'] ?? '')
  return reply
}

/** Writes a decision down, once: of several, the first stands. */
async function takeDecision(
  { authorizations }: ProviderState,
  id: string,
  decision: Decision,
): Promise<Authorization> {
  const decided = (undecided: Authorization): Authorization => ({
    ...undecided,
    decided: true,
    ...(decision.action === 'approve' && {
      subject: decision.subject ?? defaultSubject,
      scopes: decision.scopes ? [...new Set(decision.scopes)] : undecided.scopes,
    }),
    accessTokenLifetimes: decision.access_token_lifetimes ?? [],
  })
  const before = await authorizations.update(id, (each) => (each.decided ? each : decided(each)))
  if (!before || before.decided) {
    throw new OAuthError('conflict', 'the authorization is already decided', { status: 409 })
  }
  return decided(before)
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
async function issueCode(
  { settings, clock, opaque, codes, ledger }: ProviderState,
  { id, request, age, subject = defaultSubject }: Authorization,
  disturb: Disturb,
): Promise<string> {
  const { clientId, codeChallenge, codeChallengeMethod } = request
  const code = disturb<CodeBinding>((fault) => fault.bind, {
    value: opaque('ac_'),
    clientId,
    subject,
    codeChallenge,
    expiresAt: clock.now() + settings.lifetimes.code * 1000,
  })
  await codes.set(
    code.value,
    {
      codeChallengeMethod: code.codeChallenge && (codeChallengeMethod ?? 'S256'),
      authorization: id,
      ageAtIssue: age,
      redeemed: false,
      ...code,
    },
    retentionOf(settings),
  )
  ledger.record({ kind: 'authorization_code', value: code.value, authorization: id, clientId })
  return code.value
}
