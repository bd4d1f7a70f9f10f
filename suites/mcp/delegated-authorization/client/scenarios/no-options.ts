/** No redirect URI is offered beside that of the URL: who listens at a port that a request names can do without. */

import {
  cite,
  inconclusive,
  isAfter,
  NotOffered,
  pass,
  show,
  Unreached,
  violation,
  type Need,
} from '../../../../../harness/engine/index.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { goThrough } from '../going-through.ts'
import { callOf, type CallView } from '../view.ts'
import { check, control, ofCall, scenario, type Judge } from './define.ts'
import { substitutesNothing } from './options.ts'

/** A client may be unable to listen at that very port: then it has to refuse both. */
export const namedPort: Need = {
  what: 'a callback at a port that the request names',
  seen: () => undefined,
}

const returned = ({ replies: [reply] }: CallView): boolean => typeof reply?.url === 'string'

/** The answer of a client that opens nothing because it cannot listen there. */
const refusalOf = ({ replies: [reply], opened }: CallView) =>
  reply && reply.url === undefined && opened.length === 0 ? reply.event : undefined

/** That the member may be missing: the first call offers what the URL has, the second one nothing. */
const doesWithout: Judge = (t) => {
  const [offered, without] = [callOf(t), callOf(t, 'call-2')]
  if (!returned(offered)) {
    const [first, second] = [offered, without].map(refusalOf)
    return first && second
      ? pass('it refuses both: it listens at no port that a request names', cite(first, second))
      : inconclusive('the client did not return a callback at the redirect URI of the URL')
  }
  const asked = without.askings[0]?.frame.event
  if (!asked) return inconclusive('the client was not asked without options')
  const [reply] = without.replies
  if (!reply && without.opened.length > 0)
    return inconclusive('the URL was opened, and nothing returned', cite(asked))
  const gaveUp = t.steps('gave-up', without.name).find((step) => isAfter(step, asked))
  if (!reply && !gaveUp) return inconclusive('the run did not wait for the answer')
  const evidence = cite(offered.replies[0]?.event, asked, reply?.event ?? gaveUp)
  if (returned(without)) return pass('the callback was returned', evidence)
  return violation(
    'a request without redirect_uri_options is refused',
    {
      expected: 'the callback, as where redirect_uri_options has the redirect URI of the URL',
      actual: reply ? show(reply.error ?? {}) : 'no answer',
    },
    evidence,
  )
}

export const noOptions = scenario({
  id: 'no-options',
  title: 'the redirect URI of the URL is the one that is offered; then nothing is',
  control,
  needs: namedPort,
  async drive({ begin, again }) {
    const first = await begin()
    await goThrough(first, { options: [first.redirectUri] }).catch((error: unknown) => {
      if (!(error instanceof Unreached) || first.view().replies.length === 0) throw error
    })
    await first.finish()
    if (!returned(first.view())) {
      const second = await again()
      await second.ask({ options: null })
      await second.settled()
      // Where it can listen may be looked at when its user has agreed, not before.
      if (second.view().replies.length === 0) {
        await second.accept().catch(unlessUnreached)
        await second.replied()
      }
      throw new NotOffered('it does not listen at that port')
    }
    await goThrough(await again(), { options: null })
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/options-optional',
      'does without options',
      doesWithout,
    ),
    check(
      'mcp-delegated-authorization/client/no-substitution',
      'leaves the redirect URI of the URL alone',
      ofCall(substitutesNothing, 'call-2'),
    ),
  ],
})
