/** A contender: a server in a process of its own, which says where it is and what it uses. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { packaged } from './packaged.ts'

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
  readonly memory: Memory
  /** Milliseconds of processor time since it was started. */
  readonly cpu: number
}

/** Bytes after a full collection. */
export interface Memory {
  readonly heap: number
  /** Of the whole process, as the system counts: code, buffers and what a runtime keeps for later. */
  readonly resident: number
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
  'mock-oauth2-server',
  'bare',
] as const

export type ContenderName = (typeof contenderNames)[number]

/** Who is compared: what this provider could be is no peer. */
export const peerNames = ['oauth2-mock-server', 'oidc-provider', 'mock-oauth2-server'] as const

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

/** Starts `aoc provider` of the package and waits for the line that says that it is ready. */
export async function startCommand(): Promise<Pick<Contender, 'endpoints' | 'stop'>> {
  const program = fileURLToPath(packaged('cli/provider-main.js'))
  const child = spawn(process.execPath, [program, 'provider', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line]: unknown[] = await once(child.stdout, 'data')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the command documents
  const { issuer } = JSON.parse(String(line)) as { readonly issuer: string }
  return {
    endpoints: {
      discovery: `${issuer}/.well-known/openid-configuration`,
      jwks: `${issuer}/jwks`,
      authorize: `${issuer}/authorize`,
      token: `${issuer}/token`,
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
