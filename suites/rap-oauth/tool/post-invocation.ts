/** Posts to the invocation endpoint of the tool, recorded. */

import type { Recorder, Run } from '../../../harness/engine/index.ts'
import { HttpFailure, type Deployment } from '../../../harness/parties/index.ts'
import { unreadBodyMs } from '../messages.ts'

export interface PostParts {
  readonly deployment: Deployment
  readonly run: Run
  readonly recorder: Recorder
  /** Default: an invocation. */
  readonly channel?: 'invocation' | 'notification' | undefined
}

/** Posts to the endpoint and records the exchange; a refused connection is tried again, as runtimes do. */
export async function postInvocation(
  call: string,
  body: string | Buffer,
  contentType: string,
  url: string,
  { deployment, run, recorder, channel = 'invocation' }: PostParts,
): Promise<number | undefined> {
  const { stepMs, ackMs } = run.timing
  const deadline = run.now() + stepMs
  const headers = { 'content-type': contentType, ...deployment.implementation.headers }
  const text = typeof body === 'string' ? body : body.toString('latin1')
  for (;;) {
    const exchange = recorder.newExchange()
    const place = { channel, ...(call ? { call } : {}), exchange } as const
    const shown = { text: text.slice(0, 64 * 1024), bytes: Buffer.byteLength(body) }
    recorder.record({ type: 'request', ...place, method: 'POST', url, headers, body: shown })
    try {
      const within = stepMs + ackMs
      const answer = await deployment.transport({
        method: 'POST',
        url,
        headers,
        body,
        within,
        bodyWithin: unreadBodyMs,
        signal: run.signal,
      })
      recorder.record({ type: 'response', ...place, ...answer })
      return answer.status
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      recorder.record({ type: 'failure', ...place, code: error.code, message: error.message })
      const { gone } = deployment.implementation
      if (error.code !== 'ECONNREFUSED' || gone.aborted || run.signal.aborted) return undefined
      if (run.now() > deadline) {
        deployment.implementation.lost(`it refused connections for ${stepMs} ms`)
        return undefined
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
