/** Callers who are nobody in particular, and users whose identifiers a careless comparison takes for the same. */

import { randomInt } from 'node:crypto'
import {
  inconclusive,
  NotOffered,
  pass,
  worstOf,
  type Evidence,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { readsLike } from '../../../oauth-client/endings.ts'
import type { Ended } from '../../../oauth-client/handed-call.ts'
import type { Judge } from '../../../oauth-client/judges.ts'
import { storedTokenJudgesOf } from '../../../oauth-client/scenarios/stored-token-judges.ts'
import { hasToken, issuedGrant, namesAccount, refusalOf } from '../../../oauth-client/view.ts'
import { check } from '../checks.ts'
import { handoff } from '../handoff.ts'
import { dropsNone } from '../never-dropped.ts'
import { callOf, callsOf, citeMessages, type CallView } from '../view.ts'
import type { Fixtures } from '../test-bed.ts'
import { scenario } from './define.ts'
import { asksFor } from './needs.ts'

const { notServedByOthers } = storedTokenJudgesOf(handoff)

/** None of the later callers is served with the token of the first. */
const servesNoOther: Judge = (t, context) => {
  const [, ...others] = callsOf(t)
  const judgements = others.map(({ name }) => notServedByOthers(name)(t, context))
  return worstOf(judgements) ?? judgements[0] ?? inconclusive('nobody else called')
}

/** Callers who are nobody in particular, after one of them has authorized, and users whose names look like nobody. */
const nobodies = [undefined, null, 'null', 'undefined', ''] as const

const anonymous = scenario({
  id: 'callers-without-user-id',
  title:
    'a caller with the user_id null authorizes; then callers without a user_id, or with one that looks empty, call',
  control: 'authorize-and-complete',
  notApplicable: ({ anonymous }) => (anonymous ? undefined : 'declares.anonymous is false'),
  async drive({ tool, user }) {
    const first = tool.invoke({ userId: null })
    await first.awaitAnswer()
    if (first.hasMessage('oauth')) {
      await user.approve(first)
      await first.ended()
    }
    const others = nobodies.map((userId) => tool.invoke({ userId }))
    await Promise.all(others.map((other) => other.awaitAnswer()))
  },
  checks: [
    dropsNone,
    check(
      'oauth-client/token-bound-to-user',
      'shares no token between callers that it cannot tell apart',
      (t, context) => {
        const [first, ...others] = callsOf(t)
        if (!first) return inconclusive('nobody called')
        if (issuedGrant(first)) return servesNoOther(t, context)
        const real = context.control && callOf(context.control).ended[0]
        const refusals = [first, ...others.filter(({ oauth }) => oauth.length === 0)].map(
          (call) => refusalOf(call) ?? refusedInWords(call, t, real),
        )
        if (others.length > 0 && refusals.every((refusal) => refusal !== undefined)) {
          return pass('it serves no caller without a user_id', refusals.flat())
        }
        return inconclusive(
          'no token was issued that could be shared, and not every caller was refused',
        )
      },
    ),
  ],
})

/** How a call ended that served nobody: nobody was asked and nobody's token used in all of it, and it says something else. */
function refusedInWords(
  { oauth, results: [end], ended }: CallView,
  t: Transcript,
  real: Ended | undefined,
): Evidence[] | undefined {
  const used = t.provider('resource-access').some(hasToken)
  const [said] = ended
  if (!end || !said || !real || used || oauth.length > 0) return undefined
  return readsLike(handoff, said, real) || namesAccount(t, said) ? undefined : citeMessages(end)
}

/** Other people, whose identifiers a careless comparison takes for the same: case, blanks, Unicode, signs, tags of mail addresses, length. */
function lookalikes(id: string): string[] {
  return [
    id.toUpperCase(),
    ` ${id}`,
    `${id} `,
    id.normalize('NFD'),
    id.replace('ä', 'a'),
    id.replace('ä', 'ö'),
    id.replaceAll('-', '_'),
    `${id}+tag`,
    `${id.slice(0, -1)}x`,
  ]
}

/** The user authorizes under such a `user_id`. @throws NotOffered where it is refused */
async function authorizeAs(
  userId: string,
  { tool, user }: Pick<Fixtures, 'tool' | 'user'>,
): Promise<void> {
  const call = tool.invoke({ userId })
  if (!(await call.isAsked())) throw new NotOffered('it refuses such a user_id')
  await user.approve(call)
  await call.ended()
}

const similar = scenario({
  id: 'similar-user-ids',
  title:
    'a user authorizes; then users call whose user_id differs in case, blanks, Unicode form, signs or the last character',
  control: 'stored-token',
  needs: asksFor('similar-user-ids', 'whose user_id is long'),
  async drive({ tool, user }) {
    const id = `${user.id}-ä${'-long'.repeat(40)}-end`
    await authorizeAs(id, { tool, user })
    const others = lookalikes(id).map((userId) => tool.invoke({ userId }))
    await Promise.all(others.map((other) => other.answered()))
  },
  checks: [check('oauth-client/token-bound-to-user', 'does not mix up users', servesNoOther)],
})

const long = scenario({
  id: 'long-user-ids',
  title:
    'a user authorizes whose user_id has 300 characters; then a user calls whose user_id differs in the last one',
  control: 'stored-token',
  needs: asksFor('long-user-ids', 'whose user_id has 300 characters'),
  async drive({ tool, user }) {
    // 255 is what a column of a table, or the name of a file, usually has at most.
    const [id, other] = ['1', '2'].map((end) => `${user.id.padEnd(299, '-long')}${end}`)
    await authorizeAs(id!, { tool, user })
    await tool.invoke({ userId: other! }).answered()
  },
  checks: [check('oauth-client/token-bound-to-user', 'compares them to their ends', servesNoOther)],
})

/** Other people, whose identifiers are the same number: they are texts, and compared as such. */
function sameNumbers(id: string): string[] {
  const [first, ...rest] = id
  return [`0${id}`, `+${id}`, `${id}.0`, `${first}.${rest.join('')}e${rest.length}`]
}

const numeric = scenario({
  id: 'numeric-user-ids',
  title:
    'a user authorizes whose user_id is a number; then users call whose user_id is the same number in other digits',
  control: 'stored-token',
  needs: asksFor('numeric-user-ids', 'whose user_id is a number'),
  async drive({ tool, user }) {
    // Beyond what a floating-point number tells apart.
    const id = `9${String(randomInt(10 ** 7, 10 ** 8))}${String(randomInt(10 ** 7, 10 ** 8))}1`
    await authorizeAs(id, { tool, user })
    const others = [...sameNumbers(id), id.replace(/1$/, '2')].map((userId) =>
      tool.invoke({ userId }),
    )
    await Promise.all(others.map((other) => other.answered()))
  },
  checks: [check('oauth-client/token-bound-to-user', 'compares them as texts', servesNoOther)],
})

export const callerScenarios = [anonymous, similar, long, numeric]
