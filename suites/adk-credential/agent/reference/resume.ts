/** What becomes of an answer: the code is redeemed, the credential kept, and the paused call goes on. */

import type { Answer } from './answers.ts'
import { saveCredential } from './credentials.ts'
import { CallFailure } from './failure.ts'
import type { Credential } from './oauth.ts'
import type { Pending, Session } from './session.ts'
import { tools } from './tools.ts'
import type { Work } from './work.ts'

/** A call that goes on: with a credential, or with the reason why there is none. */
export interface Resumed {
  readonly pending: Pending
  readonly outcome: Credential | CallFailure
}

/** What an answer makes of a call; nothing where it answers none, or cannot be believed. */
export async function resume(
  work: Work,
  session: Session,
  answer: Answer,
): Promise<Resumed | undefined> {
  const { parts, config, fetch, sessions } = work
  const pending = parts.matchPending(session, answer)
  if (!pending) return undefined
  const done = (outcome: Resumed['outcome']): Resumed => ({ pending, outcome })
  const finish = (): void => {
    parts.claim(session, pending)
    sessions.save(session)
  }
  if (config.dialect === 'response') {
    finish()
    const credential = parts.credentialIn(answer)
    return done(credential ?? new CallFailure('not-authorized'))
  }
  const { flow } = pending
  const brought = parts.readAnswer(answer)
  if (!flow || !brought) return undefined
  const redirectUri = flow.redirectUri ?? brought.redirectUri
  if (!parts.isAtRedirectUri(brought.callback, redirectUri)) return undefined
  const callback = parts.readCallback(config.oauth, flow, brought.callback.searchParams, answer)
  if (callback === undefined) return undefined
  finish()
  if ('error' in callback) {
    return done(
      new CallFailure(callback.error === 'access_denied' ? 'denied' : 'authorization-failed'),
    )
  }
  const grant = { parameters: callback.parameters, redirectUri, verifier: flow.verifier }
  try {
    return done(await parts.exchangeCode(parts.endpointsFor(config, answer), fetch, grant))
  } catch (error) {
    if (error instanceof CallFailure) return done(error)
    throw error
  }
}

/** Keeps what an answer brought, for the user of the session. */
export function keep(work: Work, session: Session, { pending, outcome }: Resumed): void {
  const tool = tools.find(({ name }) => name === pending.call.name)
  if (outcome instanceof CallFailure || !tool?.credential) return
  const key = work.parts.credentialKey(tool)
  saveCredential(work, { user: session.userId, key, session: session.id }, outcome)
}
