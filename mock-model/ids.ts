/** Makes ids that look like those of the real APIs and never repeat. */

/** Returns that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array

export interface Ids {
  /** For example `('call_', 24)` or `('toolu_01', 22)`. */
  alphanumeric(prefix: string, length: number): string
  hex(prefix: string, length: number): string
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function createIds(random: RandomBytes): Ids {
  return {
    alphanumeric: (prefix, length) =>
      prefix + Array.from(random(length), (byte) => alphabet[byte % alphabet.length]).join(''),
    hex: (prefix, length) => prefix + Buffer.from(random(length / 2)).toString('hex'),
  }
}
