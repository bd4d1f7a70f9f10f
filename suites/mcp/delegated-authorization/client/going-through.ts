/** What the user of a call does where nothing is special about it. */

import type { AskOptions, Call } from './session.ts'

/** Up to the browser. @throws Unreached */
export async function agree(call: Call, options?: AskOptions): Promise<void> {
  await call.ask(options)
  await call.prompted()
  await call.accept()
}

/** The user agrees, and comes back wherever the client has asked for. @throws Unreached */
export async function goThrough(call: Call, options?: AskOptions): Promise<void> {
  await agree(call, options)
  await call.comesBack()
  await call.replied()
}
