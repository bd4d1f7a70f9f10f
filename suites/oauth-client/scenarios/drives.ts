/** Drives that whole families of scenarios share. */

import { awaitedLater, NotOffered, Unreached } from '../../../harness/engine/index.ts'
import type { FaultId, FaultSpec } from '../../../harness/parties/user/user-agent.ts'
import type { ClientFixtures } from '../handoff.ts'
import type { PendingCall } from '../pending-call.ts'
import type { Flow, User } from '../user.ts'

type Drive = (fixtures: ClientFixtures) => Promise<void>

/** The user approves, something goes wrong on the way, and the call must end: watched until after its end. */
export function approveWith(fault: FaultId): Drive {
  return async ({ begin, user, observe }) => {
    const call = begin(user)
    await user.approve(call, { faults: [fault] })
    await call.ended()
    await observe()
  }
}

/** The same where an upstream holds its answer back until the call has ended without it. */
export function approveWithHeld(fault: FaultId): Drive {
  return async ({ begin, user, offSlot, observe, timing }) => {
    const call = begin(user)
    const flow = await user.consent(call, { faults: [fault] })
    const page = awaitedLater(user.follow(flow))
    await call.settle()
    // What has not ended may end now that it gets its answer: then it only waits longer than this run. Where the end comes
    // with the page, a busy client may take its time for that.
    user.release(flow)
    await offSlot(page)
    await call.ended(timing.stepMs)
    await observe()
  }
}

/**
 * Something comes back in place of the genuine callback, altered by these parameters, and is watched while the call may
 * stay pending; then the genuine one comes.
 */
export async function forgeFirst(
  { user, mark, observeWhilePending }: ClientFixtures,
  flow: Flow,
  changes: Parameters<User['tampered']>[1],
): Promise<void> {
  mark('forged')
  await user.follow(flow, user.tampered(flow, changes))
  await observeWhilePending()
  mark('genuine')
  await user.follow(flow)
}

/** What does not come is for a check to judge. */
export function unlessUnreached(error: unknown): undefined {
  if (!(error instanceof Unreached)) throw error
}

/**
 * Has two calls of one user asked at once. Who has asked a user may have their other calls wait for the same answer, or
 * refuse them until there is one: then the one that arrives later is not asked, whichever that is.
 * @throws NotOffered, Unreached
 */
export async function eachAsked(...calls: readonly [PendingCall, PendingCall]): Promise<void> {
  const results = await Promise.allSettled(calls.map((call) => call.asked()))
  const urls = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const [failed] = results.flatMap((each): unknown[] =>
    each.status === 'rejected' ? [each.reason] : [],
  )
  if (failed && (urls.length === 0 || !(failed instanceof Unreached))) throw failed
  if (failed || urls[0] === urls[1]) throw new NotOffered('it has one flow for both calls')
}

/** Fixtures of an instance whose clock can be moved, where that was asked for and works; these ones otherwise. */
export async function movable(given: ClientFixtures): Promise<ClientFixtures> {
  return (await given.movable?.()) ?? given
}

/** Fixtures of an instance of its own, whose clock can be moved where that was asked for and works. */
export async function ownInstance(given: ClientFixtures): Promise<ClientFixtures> {
  const moved = await given.movable?.()
  return moved?.clock ? moved : given.ownInstance()
}

/** A call of the user is served with an access token, which then expires; the flow has these faults from then on. */
export async function expireToken(
  { begin, user, offSlot }: Pick<ClientFixtures, 'begin' | 'user' | 'offSlot'>,
  ...faults: readonly FaultSpec[]
): Promise<{ readonly first: PendingCall; readonly flow: Flow }> {
  const life = await user.shortLife()
  const first = begin(user)
  const flow = await user.approve(first, { access_token_lifetimes: [life, 3600] })
  await first.ended()
  await isKept(first)
  if (faults.length > 0) user.setFaults(flow, faults)
  await offSlot(user.expire(flow, life))
  return { first, flow }
}

/**
 * A client with a leeway refreshes a token that lives this short before it uses it at all: what it has then does not
 * expire here, and whatever it does next says nothing. @throws Unreached
 */
async function isKept(call: PendingCall): Promise<void> {
  let isRefreshed = false
  await call.waitUntil('the call is not recorded', ({ grants }) => {
    isRefreshed = grants.some(
      ({ detail }) => detail['grantType'] === 'refresh_token' && detail['outcome'] === 'issued',
    )
    return true
  })
  if (isRefreshed)
    throw new Unreached(
      `the token of ${call.name} was refreshed before it could expire, earlier than declared: say how early (declares.refreshLeeway), to the second`,
    )
}
