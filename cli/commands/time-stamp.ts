/** `aoc time-stamp`: lets an authority state when a certification existed (RFC 3161). */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  BundleError,
  largestTimeStamp,
  statedTime,
  timeStampFile,
  timeStampQuery,
  writeAtomically,
} from '../../reports/index.ts'
import { readAttestation } from '../input/attestation.ts'
import { readAtMost } from '../input/fetch-text.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { terminalOf } from '../print/terminal.ts'

export interface TimeStampOptions {
  readonly authority: string
}

/** Milliseconds that an authority may take. */
const within = 30_000

/** Asks for a time stamp and puts it beside the attestation. @throws {@link UsageError} */
export async function timeStamp(bundle: string, { authority }: TimeStampOptions): Promise<number> {
  const attestation = readAttestation(bundle)
  const output = join(bundle, timeStampFile)
  if (lstatSync(output, { throwIfNoEntry: false })) {
    throw new UsageError(`${output} exists already and was not changed`)
  }
  try {
    const reply = await ask(authority, await timeStampQuery(attestation))
    const time = await statedTime(reply, attestation)
    writeAtomically(output, reply)
    terminalOf(process.stdout).line(`stamped  ${output}: ${time.toISOString()}, by ${authority}`)
    return 0
  } catch (error) {
    const why = error instanceof BundleError ? error.message : messageOf(error)
    throw new UsageError(`--authority ${authority}: ${why}`)
  }
}

/** The time stamp protocol over HTTP (RFC 3161 §3.4); plain http serves as well, since the answer is signed. */
async function ask(authority: string, query: Uint8Array): Promise<Uint8Array> {
  if (!/^https?:/i.test(authority) || !URL.canParse(authority)) {
    throw new Error('expected the URL of a time stamp authority')
  }
  const response = await fetch(authority, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: Uint8Array.from(query),
    redirect: 'error',
    signal: AbortSignal.timeout(within),
  })
  if (!response.ok) throw new Error(`it answered ${response.status}`)
  return readAtMost(response, largestTimeStamp)
}
