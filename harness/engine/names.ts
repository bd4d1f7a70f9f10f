/**
 * Names of users, calls and conversations: unique in a run. Where a relying party gave a nonce, they show that the run was
 * made after it: half of each is a MAC over the other half, so that recordings of an earlier run cannot pass for it as
 * they are.
 */

import { createHmac, randomBytes } from 'node:crypto'

/** Makes a name of a kind; it says in a log where it comes from, and needs no escaping in URLs, JSON or HTML. */
export type NewName = (kind: string) => string

/** What a nonce may be: 16 to 128 characters that need no quoting anywhere. */
export const nonceShape = /^[\w.~-]{16,128}$/

const shape = /-([0-9a-f]{16})([0-9a-f]{8})(?![0-9a-f])/g

/** Names of a run; without a nonce they are random throughout. */
export function namesFor(nonce: string | undefined): NewName {
  return (kind) => {
    const random = randomBytes(8).toString('hex')
    return `${kind}-${random}${nonce === undefined ? randomBytes(4).toString('hex') : mark(nonce, random)}`
  }
}

/** A name that belongs to no run: for what nobody is to know, and where no run is. */
export const anyName: NewName = namesFor(undefined)

/** Whether a text has names and none of them was made for the nonce; names of an implementation may look alike. */
export function madeOtherwise(text: string, nonce: string): boolean {
  const names = [...text.matchAll(shape)]
  return names.length > 0 && !names.some(([, random = '', end]) => mark(nonce, random) === end)
}

function mark(nonce: string, random: string): string {
  return createHmac('sha256', nonce).update(random).digest('hex').slice(0, 8)
}
