/** What is compressed inside of a file, so that compressing is not mistaken for encrypting. */

import { constants, inflateRawSync } from 'node:zlib'

/** Most streams that are tried in one file, and most that is read of one. */
const tries = 2000
const limit = 4 * 1024 * 1024

/** The gzip and zlib streams that begin anywhere in the bytes, inflated; what only looks like one is left out. */
export function inflated(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  let left = tries
  for (let at = 0; at + 8 < bytes.length && left > 0; at += 1) {
    const header = headerAt(bytes, at)
    if (header === 0) continue
    left -= 1
    const text = tryInflate(bytes.subarray(at + header))
    if (text && text.length > 0) found.push(text)
  }
  return found
}

/** The length of a stream's header: RFC 1952 §2.3 without optional fields, RFC 1950 §2.2 with a window of 32 KiB. */
function headerAt(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8) return 10
  return bytes[at] === 0x78 && bytes.readUInt16BE(at) % 31 === 0 ? 2 : 0
}

function tryInflate(bytes: Buffer): Buffer | undefined {
  try {
    // What follows the stream, or is missing at its end, does not matter.
    return inflateRawSync(bytes, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: limit,
    })
  } catch {
    return undefined
  }
}
