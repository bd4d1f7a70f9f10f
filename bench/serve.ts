/** What every contender's process does: tell where it is, and answer its parent. */
import type { Answers, Endpoints, Memory } from './contender.ts'

/** How a contender learns what it uses. */
export interface Usage {
  /** Milliseconds of processor time since the start. */
  cpu(): number
  memory(): Memory
}

const ofThisProcess: Usage = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  memory() {
    globalThis.gc?.()
    const { heapUsed: heap, rss: resident } = process.memoryUsage()
    return { heap, resident }
  },
}

/** Reports that the server listens, and answers questions about what it uses. */
export function report(endpoints: Endpoints, usage: Usage = ofThisProcess): void {
  const send = (answer: Partial<Answers>) => process.send?.(answer)
  process.on('message', (question) =>
    send(question === 'cpu' ? { cpu: usage.cpu() } : { memory: usage.memory() }),
  )
  send({ endpoints })
}

/** The same client, user and key for all. */
export const client = {
  id: 'bench',
  secret: 'the-secret-of-the-benchmark-client',
  redirectUri: 'https://app.example/callback',
} as const
