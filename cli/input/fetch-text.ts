/** Fetches a small text over https, or over http from this machine. */

import { messageOf } from './unknown.ts'
import { UsageError } from './usage-error.ts'

const within = 10_000
const usual = 1024 * 1024

/** @throws {@link UsageError} when there is no answer in time, or none that can be used */
export async function fetchText(url: string, largest = usual): Promise<string> {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && local)) {
    throw new UsageError(`${url}: expected an https URL`)
  }
  const signal = AbortSignal.timeout(within)
  try {
    const response = await fetch(url, { signal, redirect: 'error' })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return (await readAtMost(response, largest)).toString('utf8')
  } catch (error) {
    throw new UsageError(`${url}: cannot be fetched: ${messageOf(error)}`)
  }
}

/** The body of a response. @throws Error when it is longer than so many bytes */
export async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > limit) throw new Error(`it is longer than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
