/** A call with a token, and again where the answer asks for more scopes (MCP Authorization, Step-Up Authorization Flow). */

import type { Recorder } from '../../../../harness/engine/index.ts'
import type { Callers, CallOptions } from './callers.ts'
import { callOf, scopesLacking } from './view.ts'

export interface SignIn {
  readonly recorder: Recorder
  readonly callers: Callers
  /** Gets a token with these scopes. @throws Unreached */
  readonly obtain: (scopes: readonly string[]) => Promise<string>
  /** What is requested at first. */
  readonly scopes: readonly string[]
  /** Who signs in, where that matters. */
  readonly subject?: string | undefined
}

/** "No more than a few times" (MCP Authorization, Step-Up Authorization Flow). */
const mostTokens = 3

/** Returns the token of the last try, by which the call is judged. @throws Unreached */
export async function callSignedIn(
  { recorder, callers, obtain, scopes, subject }: SignIn,
  options: CallOptions = {},
): Promise<string> {
  let requested = scopes
  let token = await obtain(requested)
  const name = await callers.call({ ...options, token })
  for (let tokens = 1; tokens < mostTokens; tokens += 1) {
    const lacking = scopesLacking(callOf(recorder.transcript(), name))
    if (lacking.every((scope) => requested.includes(scope))) break
    // What was requested before need not be named again.
    requested = [...new Set([...requested, ...lacking])]
    token = await obtain(requested)
    await callers.again(name, { ...options, token })
  }
  const detail = { scopes: requested, subject }
  recorder.record({ type: 'step', action: 'signed-in', call: name, detail })
  return token
}
