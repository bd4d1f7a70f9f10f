import { cite, inconclusive, pass, violation, type Transcript } from '../../../../harness/index.ts'
import { textOf } from '../../messages.ts'
import { check, singleResult, type Judge } from '../checks.ts'
import { callOf, callsOf, citeMessages, show } from '../view.ts'
import { scenario } from './define.ts'

const control = 'authorize-and-complete'

const twoCalls = scenario({
  id: 'two-calls-of-one-user',
  title: 'two calls of one user are pending at the same time',
  control,
  async drive({ tool, user, observe }) {
    const calls = [tool.invoke({ as: user }), tool.invoke({ as: user })] as const
    const urls = await Promise.all(calls.map((call) => call.awaitOAuth()))
    await user.approve(calls[0])
    await calls[0].awaitResult()
    // A tool may complete both calls at once, or give both the same URL.
    if (urls[0] !== urls[1] && !calls[1].hasMessage('tool_result')) await user.approve(calls[1])
    await calls[1].awaitResult()
    await observe()
  },
  checks: [
    check('rap-oauth/tool/isolate-concurrent-calls', 'answers each call for itself', isolated(2)),
    check('rap-oauth/tool/single-result', 'completes the first call once', singleResult('call-1')),
    check('rap-oauth/tool/single-result', 'completes the second call once', singleResult('call-2')),
  ],
})

const crowd = 20

const manyUsers = scenario({
  id: 'twenty-users-at-once',
  title: 'twenty users call, approve and are answered at the same time',
  control,
  async drive({ tool, newUser, observe, mark }) {
    const users = Array.from({ length: crowd }, (_, index) => newUser(`user-${index + 1}`))
    mark('users', { subjects: users.map((user) => user.subject) })
    const calls = users.map((user) => ({ user, call: tool.invoke({ as: user }) }))
    await Promise.all(calls.map(({ user, call }) => user.approve(call)))
    await Promise.all(calls.map(({ call }) => call.awaitResult()))
    await observe()
  },
  checks: [
    check('rap-oauth/tool/isolate-concurrent-calls', 'mixes nothing up', isolated(crowd)),
    check('rap-oauth/tool/single-result', 'completes each call once', (t, context) => {
      const judgements = callsOf(t).map((call) => singleResult(call.name)(t, context))
      const broken = judgements.find((judgement) => judgement.outcome !== 'pass')
      return (
        broken ??
        pass(
          `${judgements.length} calls, one result each`,
          judgements.flatMap(({ evidence }) => evidence),
        )
      )
    }),
  ],
})

/** Every message on a call's URL is about that call, and its token is that of its user. */
function isolated(expected: number): Judge {
  return (t) => {
    const calls = callsOf(t)
    const complete = calls.filter((call) => call.results.length > 0)
    for (const call of calls) {
      const crossed = call.messages.find(
        ({ value }) => value['id'] !== call.sent.id || value['group_id'] !== call.sent.group_id,
      )
      if (crossed) {
        return violation(
          'a message on the callback URL of one call carries the ids of another',
          {
            expected: show({ id: call.sent.id, group_id: call.sent.group_id }),
            actual: show({ id: crossed.value['id'], group_id: crossed.value['group_id'] }),
          },
          citeMessages(crossed),
        )
      }
      const foreign = foreignSubject(t, call.name)
      if (foreign) return foreign
    }
    if (calls.length < expected || complete.length < expected) {
      return inconclusive(`only ${complete.length} of ${expected} calls completed`)
    }
    return pass(
      `${expected} calls, nothing crossed`,
      citeMessages(...calls.flatMap(({ results }) => results)),
    )
  }
}

/** The mock's items name their owner, so the result of one user must not name another. */
function foreignSubject(t: Transcript, name: string) {
  const subjects = (t.steps('mark').find(({ detail }) => detail['name'] === 'users')?.detail[
    'subjects'
  ] ?? []) as string[]
  const own = t.provider('decision', name)[0]?.detail['subject']
  for (const result of callOf(t, name).results) {
    const foreign = subjects.find(
      (subject) => subject !== own && textOf(result.value).includes(subject),
    )
    if (foreign) {
      const difference = { expected: `data of ${show(own)}`, actual: `data of ${foreign}` }
      return violation("a call got another user's result", difference, [
        ...citeMessages(result),
        ...cite(...t.provider('decision', name)),
      ])
    }
  }
  return undefined
}

export const concurrencyScenarios = [manyUsers, twoCalls]
