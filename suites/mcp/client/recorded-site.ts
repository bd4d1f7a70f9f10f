/** A site of the harness: whatever asks it for anything is recorded. */

import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Recorder } from '../../../harness/engine/index.ts'
import { flattenHeaders } from '../../../harness/parties/http.ts'
import { serverOptions } from '../../../harness/parties/server-options.ts'
import type { ServerCertificate } from '../../../harness/parties/index.ts'

/** Requests that are recorded. */
const mostRequests = 200

export interface RecordedSite {
  /** Without a trailing slash. */
  readonly origin: string
  close(): Promise<void>
}

export interface SiteParts {
  readonly recorder: Recorder
  readonly channel: string
  /** Which call a path belongs to. */
  readonly callOf: (path: string) => string | undefined
  /** Default: no TLS. */
  readonly certificate?: ServerCertificate | undefined
}

/** Starts listening on a loopback port. Whoever does not trust its certificate is recorded as well. */
export async function startRecordedSite({
  recorder,
  channel,
  callOf,
  certificate,
}: SiteParts): Promise<RecordedSite> {
  let requests = 0
  const record = (method: string, path: string, headers: Readonly<Record<string, string>>) => {
    if ((requests += 1) > mostRequests) return
    const call = callOf(path)
    const place = {
      channel,
      exchange: recorder.newExchange(),
      ...(call === undefined ? {} : { call }),
    }
    recorder.record({ type: 'request', ...place, method, url: origin + path, headers })
    recorder.record({ type: 'response', ...place, status: 200, headers: {} })
  }
  const answer: RequestListener = (request, response) => {
    record(request.method ?? '', request.url ?? '/', flattenHeaders(request.headers))
    request.resume()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Connect</title>Connected.')
  }
  const server = certificate
    ? createTlsServer({ ...serverOptions, ...certificate }, answer)
    : createServer(serverOptions, answer)
  server.on('tlsClientError', () => record('CONNECT', '/', {}))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
