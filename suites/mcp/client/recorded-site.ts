/** A site of the harness: whatever asks it for anything is recorded. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recorder } from '../../../harness/engine/index.ts'
import { flattenHeaders } from '../../../harness/parties/http.ts'
import { serverOptions } from '../../../harness/parties/server-options.ts'

/** Requests that are recorded. */
const mostRequests = 200

export interface RecordedSite {
  /** Without a trailing slash. */
  readonly origin: string
  close(): Promise<void>
}

/** Starts listening on a loopback port; `callOf` tells which call a path belongs to. */
export async function startRecordedSite(
  recorder: Recorder,
  channel: string,
  callOf: (path: string) => string | undefined,
): Promise<RecordedSite> {
  let requests = 0
  const server = createServer(serverOptions, (request, response) => {
    const { method = '', url: path = '/', headers } = request
    if ((requests += 1) <= mostRequests) {
      const call = callOf(path)
      const place = {
        channel,
        exchange: recorder.newExchange(),
        ...(call === undefined ? {} : { call }),
      }
      const url = origin + path
      recorder.record({ type: 'request', ...place, method, url, headers: flattenHeaders(headers) })
      recorder.record({ type: 'response', ...place, status: 200, headers: {} })
    }
    request.resume()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Connect</title>Connected.')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
