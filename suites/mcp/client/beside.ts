/** A second question is asked while the first is open: what its user then says has to be for one of them. */

import { asNotOffered, NotOffered, type Need, type OffSlot } from '../../../harness/engine/index.ts'
import type { ClientInstance } from './instance.ts'

/** A client may do one thing after the other. */
export const atOnce: Need = {
  what: 'two authorizations at a time',
  seen: () => undefined,
}

interface Asking {
  /** Whether its user is asked, or will not be. */
  settled(): Promise<string>
}

/**
 * Has the client be asked by a second call while its user is asked for the first.
 * @throws NotOffered where it waits with that call, or nobody can say which question an answer is for
 */
export async function askedBeside<T extends Asking>(
  ask: () => Promise<T>,
  instance: Promise<ClientInstance>,
  lendSlot: OffSlot,
): Promise<T> {
  const second = await ask().catch(asNotOffered)
  const areBothShown = (await second.settled()) === 'prompted'
  const { answers } = await lendSlot(instance)
  const isPlain = answers === 'by-name' || (answers === 'in-turn' && !areBothShown)
  if (!isPlain) throw new NotOffered('which of two questions is answered cannot be told')
  return second
}
