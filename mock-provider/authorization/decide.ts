/** Carries out the user's decision: issues a code or an error, disturbed by the faults it comes with. */
import type { ActiveFault } from '../faults/fault-switch.ts'
import type { CodeBinding, Fault, ResponseParameters, Situation } from '../faults/fault.ts'
import type { FaultSpec } from '../faults/index.ts'
import { activeFaults, fire, situationOf } from '../faults/with-faults.ts'
import type { Exchange } from '../http/exchange.ts'
import { OAuthError } from '../http/oauth-error.ts'
import type { Reply } from '../http/reply.ts'
import { expectedSubject } from '../openid/openid-request.ts'
import type { Session } from '../openid/session.ts'
import { sessionCookie, signIn } from '../openid/sessions.ts'
import { defaultSubject, finishedPage } from '../pages/pages.ts'
import type { ProviderState } from '../provider/state.ts'
import { retentionOf } from '../tokens/lifetimes.ts'
import { findClient } from '../clients/client-id-metadata.ts'
import { issueFrontTokens } from '../tokens/issue-tokens.ts'
import { respond } from './authorization-response.ts'
import type { Authorization } from './authorization.ts'
import { brings, isFront } from './response-types.ts'
import { listUsers } from './users.ts'

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
  undecided: Authorization,
  taken: Decision,
): Promise<Reply> {
  const { id } = undecided
  const decision = await answered(state, undecided, taken)
  const session = await sessionFor(state, exchange, undecided, decision)
  const authorization = await takeDecision(state, id, decision, session?.authenticatedAt)
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
    return finishedPage(error === undefined, state.settings.branding)
  }

  const disturb = disturber(state, exchange, effective)
  const refused = error !== undefined
  const parameters = {
    ...(!refused && (await issueInFront(state, authorization, disturb))),
    error,
    error_description: refused ? decision.error_description : undefined,
    state: authorization.request.state,
    // RFC 9207 §2: in every response, errors included
    iss: state.settings.issuer,
  }
  const reply = await respond(
    { redirectUri, responseMode: authorization.request.responseMode },
    disturb<ResponseParameters>((fault) => fault.respond, parameters),
  )
  await log(reply.headers['location'] ?? redirectUri)
  if (!session) return reply
  return { ...reply, headers: { ...reply.headers, 'set-cookie': sessionCookie(state, session) } }
}

/** The decision with everything said: by the one who is meant, or by nobody. */
async function answered(
  state: ProviderState,
  { request }: Authorization,
  decision: Decision,
): Promise<Decision> {
  if (decision.action !== 'approve') return decision
  const expected = expectedSubject(request.openid, await listUsers(state))
  const subject = decision.subject ?? expected ?? defaultSubject
  const demanded = request.openid?.subject
  if (demanded === undefined || demanded === subject) return { ...decision, subject }
  // OpenID Connect Core §3.1.2.1, §5.5.1: anybody else must not be reported
  const error_description = 'the signed-in user is not the one that the request names'
  return { action: 'error', error: 'login_required', error_description }
}

/** The session of whoever approves; OAuth alone knows none. */
async function sessionFor(
  state: ProviderState,
  exchange: Exchange,
  authorization: Authorization,
  { action, subject, scopes = authorization.scopes }: Decision,
): Promise<Session | undefined> {
  if (action !== 'approve' || subject === undefined || !scopes.includes('openid')) return undefined
  return signIn(state, exchange, subject, { ...authorization, scopes })
}

/** Writes a decision down, once: of several, the first stands. */
async function takeDecision(
  { authorizations, clock }: ProviderState,
  id: string,
  decision: Decision,
  authenticatedAt = clock.now(),
): Promise<Authorization> {
  const decided = (undecided: Authorization): Authorization => ({
    ...undecided,
    decided: true,
    ...(decision.action === 'approve' && {
      subject: decision.subject,
      authenticatedAt,
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

/** What the response brings: a code, and what else its type names (OpenID Connect Core §3.2.2.5, §3.3.2.5). */
async function issueInFront(
  state: ProviderState,
  authorization: Authorization,
  disturb: Disturb,
): Promise<ResponseParameters> {
  const { responseType: type, clientId } = authorization.request
  const code = brings(type, 'code') ? await issueCode(state, authorization, disturb) : undefined
  if (!isFront(type)) return { code }
  const client = await findClient(state, clientId)
  if (!client) throw new OAuthError('invalid_client', 'The client is unknown', { status: 400 })
  return { code, ...(await issueFrontTokens(state, { authorization, client, code })) }
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
