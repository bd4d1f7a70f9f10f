/** Who has logged in at the server: with the browser, through the provider, as the person that the MCP client acts for. */

import { Unreached } from '../../../../harness/engine/index.ts'
import type { Decision, Deployment } from '../../../../harness/parties/index.ts'
import type { PendingCall } from '../../../oauth-client/pending-call.ts'
import type { Flow, User } from '../../../oauth-client/user.ts'
import type { ServerConfiguration } from './configuration.ts'

interface LoginsParts {
  readonly deployment: Deployment
  readonly configuration: ServerConfiguration
}

export class Logins {
  readonly #parts: LoginsParts
  readonly #done = new Map<User, Promise<void>>()
  #made = 0

  constructor(parts: LoginsParts) {
    this.#parts = parts
  }

  /** Logs in once; nothing is done where no login is declared. @throws Unreached */
  login(user: User): Promise<void> {
    const known = this.#done.get(user)
    if (known) return known
    this.#made += 1
    const done = this.#login(user, this.#made)
    this.#done.set(user, done)
    return done
  }

  /** Whoever was logged in logs in again when that is needed next. */
  forget(): void {
    this.#done.clear()
  }

  /** Logs in as far as the provider, and does not come back from there. @throws Unreached */
  begin(user: User, decision: Partial<Decision> = {}): Promise<Flow> {
    const { login } = this.#parts.configuration.declares
    if (login === undefined) throw new Unreached('there is no login')
    this.#made += 1
    return this.#decide(user, login, this.#made, decision)
  }

  async #login(user: User, number: number): Promise<void> {
    const { configuration } = this.#parts
    const { login } = configuration.declares
    if (login === undefined || configuration.target.transport === 'stdio') return
    await user.follow(await this.#decide(user, login, number))
  }

  async #decide(
    user: User,
    login: string,
    number: number,
    decision?: Partial<Decision>,
  ): Promise<Flow> {
    const { implementation } = this.#parts.deployment
    const url = new URL(login, `${implementation.url}/`).href
    const call = visitTo(url, `login-${number}`)
    const visit = await user.follow({ call, authorization: '', redirect: url })
    if (visit.ended !== 'interaction')
      throw new Unreached(`the login at ${url} did not lead to the provider`)
    return user.decide(call, visit.authorization, decision)
  }
}

/** A visit that is not made by what a call of the tool asks for, or not as its client is told. */
export function visitTo(url: string, name: string): PendingCall {
  return {
    name,
    asked: () => Promise.resolve(url),
    ended: () => Promise.resolve(),
    settle: () => Promise.resolve(),
    waitUntil: () => Promise.resolve(),
    answered: () => Promise.resolve('asked'),
  }
}
