/** The user agrees to a URL where they are asked about it; what is opened then has the time that opening takes. */

import type { Patience } from '../../../harness/engine/index.ts'
import type { Waits } from './waits.ts'

/** A call whose user may be asked whether a URL is to be opened. */
interface Asking {
  /** Waits until its user is asked, or will not be. */
  settled(): Promise<string>
  decide(action: 'accept'): Promise<void>
}

export interface AgreeParts<View> {
  readonly patience: Patience
  readonly waits: Waits<View>
  /** Whether the client opens URLs by itself. */
  readonly opens: boolean
  /** What shows that nothing more will be opened. */
  readonly isOver: (call: View) => unknown
}

export async function agreeIfAsked<View extends { readonly opened: readonly unknown[] }>(
  call: Asking,
  { patience, waits, opens, isOver }: AgreeParts<View>,
): Promise<void> {
  if ((await call.settled()) !== 'prompted') return
  await call.decide('accept')
  if (!opens) return
  await waits.look(patience.within('opened'), (view) => view.opened[0] ?? isOver(view))
}
