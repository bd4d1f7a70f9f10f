/** The user of an OAuth client: a person with a browser and an account at the provider. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  Unreached,
  type OffSlot,
  type Patience,
  type Recorder,
  type Run,
} from '../../harness/engine/index.ts'
import {
  tamper,
  UserAgent,
  type Decision,
  type Deployment,
  type FaultSpec,
  type Jumps,
  type Visit,
} from '../../harness/parties/index.ts'
import type { HandedCall } from './handed-call.ts'
import type { PendingCall } from './pending-call.ts'
import { tooManyRequests } from './arrival.ts'
import { Pace } from './pace.ts'
import { issuedGrant, refusedRequest, served, tokenAccesses } from './view.ts'

/** Where a user acts: their browser, the provider, and the client that they come back to. */
export interface UserParts {
  /** What they are called, uniquely in the run. */
  readonly id: string
  readonly recorder: Recorder
  readonly deployment: Deployment
  readonly run: Run
  readonly lendSlot: OffSlot
  readonly patience: Patience
  /** The client's clock, where it can be moved. */
  readonly clock?: Pick<Jumps, 'jump'> | undefined
  /** How long before an access token expires the client refreshes it, as declared. */
  readonly refreshLeewayMs?: number | undefined
  /** Whether the browser goes on where a page offers one way only; default: a page is the end of a visit. */
  readonly presses?: boolean
  /** Whether an authorization is no more than a login, which stands before what was asked for. */
  readonly isLogin?: (authorization: string) => boolean
  /** Where the redirect lands at the harness: hands what the browser brought to the client; default: the browser does. */
  readonly giveBack?: (call: PendingCall, url: string) => Promise<Visit>
}

/** A flow at the provider that the user has decided; the redirect has not been followed yet. */
export interface Flow {
  readonly call: PendingCall
  readonly authorization: string
  /** Where the provider sends the browser. */
  readonly redirect: string
}

/** From the answer of the token endpoint until the API serves the token. */
const tokenUse = 'token-use'

/** Notes for later scenarios how long the client took to use the token that was issued to a call. */
export function noteTokenUse(patience: Patience, call: HandedCall): void {
  const issued = issuedGrant(call)
  const used = tokenAccesses(call).find(served)
  patience.learn(tokenUse, issued && used ? used.t - issued.t : 0)
}

/** Limits of a short life, in seconds. */
const [leastLife, mostLife] = [2, 10]
/** A life as providers give it, in seconds, for a client whose clock can be moved. */
const usualLife = 3600
/** Seconds beyond the end of a life after which a client that counts whole seconds takes it for over, too. */
const beyond = 1

/** Whether a visit ended with a page that its user was to see. */
function wasShown(visit: Visit): boolean {
  return visit.ended === 'page' && visit.status < 300
}

const paces = new WeakMap<Run, Pace>()

/** How pages are loaded again that were one too many: in turns, for all users of a run. */
function paceOf(run: Run): Pace {
  const pace = paces.get(run) ?? new Pace()
  paces.set(run, pace)
  return pace
}

/** Characters of a name that fit into a subject, which has at most 255 (OpenID Connect Core §2). Names differ at their ends. */
const longestName = 200

/** A person with a browser, an account at the provider, and a `user_id` at the runtime. */
export class User {
  readonly id: string
  readonly subject: string
  readonly #parts: UserParts
  readonly #browser: UserAgent
  /** What was decided for each call: who asks for more than one authorization gets them alike. */
  readonly #decided = new Map<PendingCall, { decision: Partial<Decision>; flows: Flow[] }>()

  constructor(parts: UserParts) {
    const { id, recorder, deployment, run, patience, presses } = parts
    this.id = id
    this.subject = `subject-of-${this.id.slice(-longestName)}`
    this.#parts = parts
    this.#browser = new UserAgent({
      recorder,
      transport: deployment.transport,
      issuer: deployment.issuer,
      origins: deployment.origins,
      // The provider is ours: only the machine can make it slow.
      within: (of) => (of === 'provider' ? run.timing.maxWaitMs : patience.within('page')),
      signal: run.signal,
      presses,
    })
  }

  /** Visits the authorization URL up to the consent page, and leaves it at that. */
  async open(call: PendingCall): Promise<string> {
    const visit = await this.arrive(call)
    if (visit.ended === 'interaction') return visit.authorization
    throw this.#unled(call, visit)
  }

  /** Why there was nothing to decide. */
  #unled(call: PendingCall, visit: Exclude<Visit, { ended: 'interaction' }>): Unreached {
    const refused = refusedRequest(this.#parts.recorder.transcript(), call.name)
    if (refused !== undefined) return new Unreached(refused)
    const how = visit.ended === 'page' ? this.#pageIn(visit) : visit.reason
    return new Unreached(
      `the authorization URL of ${call.name} did not lead to the consent page: ${how}`,
    )
  }

  #pageIn({ status, url }: { readonly status: number; readonly url: string }): string {
    const { origin, pathname } = new URL(url)
    const page = `a page with status ${status} at ${origin}${pathname}`
    return this.#parts.presses && status === 200
      ? `${page}, on which no single form, link or refresh leads on`
      : page
  }

  /**
   * Visits the authorization URL, wherever that leads: a provider may refuse the request. Where it is a page, the call may
   * ask for something else first, or beside it.
   */
  async arrive(call: PendingCall): Promise<Visit> {
    let url: string | undefined = await call.asked()
    let visit = await this.#visit(url, call)
    while (wasShown(visit) && (url = await call.askedNext?.(url)) !== undefined)
      visit = await this.#visit(url, call)
    if (visit.ended !== 'interaction' || this.#parts.isLogin?.(visit.authorization) !== true)
      return visit
    return this.follow(await this.decide(call, visit.authorization))
  }

  /** Visits the authorization URL and decides, without following the redirect. */
  async consent(call: PendingCall, decision: Partial<Decision> = {}): Promise<Flow> {
    const authorization = await this.open(call)
    return this.decide(call, authorization, decision)
  }

  async decide(
    call: PendingCall,
    authorization: string,
    decision: Partial<Decision> = {},
  ): Promise<Flow> {
    const full: Decision = { action: 'approve', subject: this.subject, ...decision }
    const redirect = await this.#browser.decide(authorization, full, call.name)
    const flow = { call, authorization, redirect }
    const { flows = [] } = this.#decided.get(call) ?? {}
    this.#decided.set(call, { decision, flows: [...flows, flow] })
    return flow
  }

  /** Approves what a call asks for besides, as what it has asked for before; a page is all that some of it leads to. */
  async approveFurther(call: PendingCall): Promise<void> {
    const visit = await this.arrive(call)
    if (wasShown(visit)) return
    if (visit.ended !== 'interaction') throw this.#unled(call, visit)
    const { decision } = this.#decided.get(call) ?? {}
    await this.follow(await this.decide(call, visit.authorization, decision))
  }

  /** Follows a redirect to the client. A page that does not come counts as failed, not as an error. */
  async follow(flow: Flow, url = flow.redirect): Promise<Visit> {
    const { run, patience, giveBack } = this.#parts
    const begun = run.now()
    const visit = giveBack
      ? await giveBack(flow.call, url)
      : await this.#visit(url, flow.call, 'provider')
    if (visit.ended === 'failure') patience.learn('page', 0)
    else patience.learn('page', run.now() - begun)
    return visit
  }

  /** The redirect of a flow, recorded as tampered with. */
  tampered(flow: Flow, changes: Readonly<Record<string, string | undefined>>): string {
    this.#record('tamper', flow, { changed: Object.keys(changes) })
    return tamper(flow.redirect, changes)
  }

  /** Approves and follows. */
  async approve(call: PendingCall, decision: Partial<Decision> = {}): Promise<Flow> {
    const flow = await this.consent(call, decision)
    await this.follow(flow)
    return flow
  }

  /** Denies and follows. */
  async deny(call: PendingCall): Promise<Flow> {
    return this.approve(call, { action: 'deny' })
  }

  /** Switches faults for the rest of a flow, tokens included. */
  setFaults(flow: Flow, faults: readonly FaultSpec[]): void {
    this.#record('faults', flow, { faults: [...faults] })
    for (const handle of this.#handles(flow)) handle.setFaults(faults)
  }

  /** Lets what the provider holds back for this flow go. */
  release(flow: Flow): void {
    this.#record('release', flow, {})
    for (const handle of this.#handles(flow)) handle.release()
  }

  /** Moves the provider's clock for this flow alone. */
  age(flow: Flow, ms: number): void {
    this.#record('age', flow, { ms })
    for (const handle of this.#handles(flow)) handle.advance(ms)
  }

  /**
   * Seconds for which an access token that is to expire soon should live: the client's clock has to get there, too, but
   * on a busy machine, and by a slow client, the token has to be used before. Waits until a call of the run has shown it.
   * A client with a leeway takes that much for expired already, so it lives longer by as much.
   */
  async shortLife(): Promise<number> {
    const { patience, lendSlot, run, clock } = this.#parts
    if (clock) return usualLife + this.#leeway
    await lendSlot(patience.known(tokenUse, run.signal))
    const used = Math.min(mostLife, Math.ceil(patience.within(tokenUse, leastLife * 1000) / 1000))
    return used + this.#leeway
  }

  /**
   * Lets the access token of a flow expire, by the provider's clock and by the tool's. Where that can be moved, one with a
   * leeway is moved no further than into it: then the token expires only for who refreshes as early as declared.
   * Something else may be done meanwhile; a clock is moved when that is over.
   */
  async expire(
    flow: Flow,
    lifetimeSeconds: number,
    meanwhile: () => Promise<void> = async () => {},
  ): Promise<void> {
    const { clock } = this.#parts
    if (clock) {
      await meanwhile()
      return clock.jump((lifetimeSeconds - this.#leeway + beyond) * 1000)
    }
    this.age(flow, lifetimeSeconds * 1000)
    // The tool's clock cannot be moved, so its own idea of the expiry takes this long.
    const seconds = lifetimeSeconds - this.#leeway + beyond
    await Promise.all([this.idle(seconds * 1000), meanwhile()])
  }

  /** Seconds, as lifetimes are. */
  get #leeway(): number {
    return Math.ceil((this.#parts.refreshLeewayMs ?? 0) / 1000)
  }

  /** Does nothing for a while, or until the run is interrupted. */
  async idle(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#parts.run.signal }).catch(() => undefined)
  }

  /** Revokes everything that was issued in this flow and those of its call after it, as a user does in the settings of the provider. */
  revoke(flow: Flow): void {
    this.#record('revoke', flow, {})
    for (const handle of this.#handles(flow)) handle.revoke()
  }

  /** Visits, and again in a while where that is too many visits at a time (RFC 6585 §4): a person would reload the page. */
  async #visit(url: string, call: PendingCall, from?: 'provider'): Promise<Visit> {
    const { lendSlot, run } = this.#parts
    const pace = paceOf(run)
    for (let isAgain = false; ; isAgain = true) {
      const visit = await lendSlot(this.#browser.visit(url, call.name, from))
      const isTooMany = visit.ended === 'page' && visit.status === tooManyRequests
      if (isAgain) pace.note(isTooMany)
      if (!isTooMany || !(await lendSlot(pace.turn(run.signal)))) return visit
    }
  }

  #record(action: string, flow: Flow, detail: Record<string, unknown>): void {
    const { recorder } = this.#parts
    recorder.record({
      type: 'step',
      action,
      call: flow.call.name,
      detail: { authorization: flow.authorization, ...detail },
    })
  }

  /** What the provider has of a flow, and of those that its call was given further. */
  #handles(flow: Flow) {
    const { flows = [flow] } = this.#decided.get(flow.call) ?? {}
    const from = flows.findIndex(({ authorization }) => authorization === flow.authorization)
    return flows.slice(Math.max(0, from)).map(({ authorization }) => {
      const handle = this.#parts.deployment.authorization(authorization)
      if (!handle) throw new Error(`the provider has no authorization ${authorization}`)
      return handle
    })
  }
}
