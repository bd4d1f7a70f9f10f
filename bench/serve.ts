/** What every contender's process does: tell where it is, and answer its parent. */
import type { Answers, Endpoints } from './contender.ts'

/** Reports that the server listens, and answers questions about what it uses. */
export function report(endpoints: Endpoints, expire: () => boolean = () => false): void {
  const send = (answer: Partial<Answers>) => process.send?.(answer)
  process.on('message', (question) => {
    if (question === 'expire') return send({ expire: expire() })
    if (question === 'cpu') return send({ cpu: cpuTime() })
    globalThis.gc?.()
    return send({ memory: process.memoryUsage().heapUsed })
  })
  send({ endpoints })
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The same client, user and key for all. */
export const client = {
  id: 'bench',
  secret: 'the-secret-of-the-benchmark-client',
  redirectUri: 'https://app.example/callback',
} as const
