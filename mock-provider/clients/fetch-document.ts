/** Fetches small documents from addresses that a stranger named, without being led inside a network. */
import { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Fetches an https URL once; redirects are not followed. Injected where no network may be used. */
export type DocumentFetch = (
  url: string,
  options: { readonly signal: AbortSignal },
) => Promise<Response>

/** Bytes: client metadata and key sets are far smaller. */
export const documentLimit = 64 * 1024

/** Milliseconds until a document is given up. */
const documentDeadline = 5_000

/**
 * Fetches a JSON document.
 * @throws Error when it is not served over https, with 200, as JSON, small and in time
 */
export async function fetchJson(fetchDocument: DocumentFetch, url: string): Promise<unknown> {
  requireHttps(url)
  const response = await fetchDocument(url, { signal: AbortSignal.timeout(documentDeadline) })
  if (response.status !== 200) throw new Error('the document was not served with status 200')
  if (!/^application\/([\w.-]+\+)?json(;|$)/i.test(response.headers.get('content-type') ?? '')) {
    throw new Error('the document was not served as JSON')
  }
  return JSON.parse(await readLimited(response))
}

/** @throws Error for anything but an https URL without credentials and fragment */
function requireHttps(url: string): void {
  const { protocol, username, password, hash } = new URL(url)
  if (protocol !== 'https:' || username || password || hash) {
    throw new Error('the address is not a plain https URL')
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > documentLimit) throw new Error('the document is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * The fetch that is used unless another is injected. It connects to public addresses only, and
 * checks the very address that it connects to: a name cannot be rebound in between.
 */
export const fetchFromPublic: DocumentFetch = async (url, { signal }) => {
  requireHttps(url)
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(hostname) && !isPublicAddress(hostname)) throw notPublic()
  const { get } = await import('node:https')
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept: 'application/json' }
    const request = get(url, { signal, lookup: lookupPublic, agent: false, headers }, resolve)
    request.once('error', reject)
  })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        let size = 0
        for await (const chunk of incoming) {
          controller.enqueue(chunk)
          size += chunk.length
          // one byte too many is enough for the reader to refuse
          if (size > documentLimit) break
        }
        controller.close()
      } catch (error) {
        controller.error(error)
      }
    },
  })
  const contentType = incoming.headers['content-type'] ?? ''
  return new Response(body, {
    status: incoming.statusCode ?? 502,
    headers: { 'content-type': contentType },
  })
}

const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? notPublic(), [])
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(notPublic(), [])
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

const notPublic = () => new Error('the address is not public')
