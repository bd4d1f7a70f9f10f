/** What may be presented once only is remembered for as long as it would be accepted (RFC 7523 §3, RFC 9449 §11.1). */
import { hash } from 'node:crypto'
import { StorageFullError } from '../storage/storage.ts'
import type { ProviderState } from '../provider/state.ts'

/**
 * Tells whether this comes for the first time, and remembers it for `lifetime` milliseconds. What there is no room to
 * remember could come again unnoticed, so it is none either.
 */
export async function isFirstUse(
  { replays }: Pick<ProviderState, 'replays'>,
  id: string,
  lifetime: number,
): Promise<boolean> {
  // of a fixed size, whatever a stranger sends
  try {
    return await replays.add(hash('sha256', id, 'base64url'), true, lifetime)
  } catch (error) {
    if (error instanceof StorageFullError) return false
    throw error
  }
}
