/** A contender: a server in a process of its own, which says where it is and what it uses. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Where a contender answers; the names of the fields are those of RFC 8414. */
export interface Endpoints {
  readonly discovery: string
  readonly jwks: string
  readonly authorize: string
  readonly token: string
}

/** What a contender's process can be asked. */
export interface Answers {
  readonly endpoints: Endpoints
  /** Bytes of the heap after a full collection. */
  readonly memory: number
  /** Milliseconds of processor time since it was started. */
  readonly cpu: number
  /** Lets everything that was issued expire, where the contender can; tells whether it did. */
  readonly expire: boolean
}

export interface Contender {
  readonly name: ContenderName
  readonly endpoints: Endpoints
  ask<Question extends keyof Answers>(question: Question): Promise<Answers[Question]>
  stop(): Promise<void>
}

export const contenderNames = [
  'mock-provider',
  'oauth2-mock-server',
  'oidc-provider',
  'bare',
] as const

export type ContenderName = (typeof contenderNames)[number]

/** Starts a contender and waits until it listens. */
export async function start(name: ContenderName): Promise<Contender> {
  const child = fork(new URL(`contenders/${name}.js`, import.meta.url), [], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  let complaints = ''
  child.stderr?.on('data', (chunk) => (complaints += String(chunk)))
  const ended = once(child, 'exit')
  const answer = async <Question extends keyof Answers>(question: Question) => {
    const value = await Promise.race([messageOf(child, question), ended])
    if (Array.isArray(value)) throw new Error(`${name} ended: ${complaints}`)
    return value
  }
  return {
    name,
    endpoints: await answer('endpoints'),
    async ask(question) {
      child.send(question)
      return answer(question)
    },
    async stop() {
      child.kill()
      await ended
    },
  }
}

function messageOf<Question extends keyof Answers>(
  child: ChildProcess,
  question: Question,
): Promise<Answers[Question]> {
  return new Promise((resolve) => {
    const listen = (message: Partial<Answers>) => {
      const value = message[question]
      if (value === undefined) return
      child.off('message', listen)
      resolve(value)
    }
    child.on('message', listen)
  })
}
