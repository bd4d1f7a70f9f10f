/** What is sent when a call is made again that was refused with -32042: the original request, by an id of its own. */

import { cite, inconclusive, isAfter, pass } from '../../../../../harness/engine/index.ts'
import { check, type Judge } from '../checks.ts'
import { needsHandshake } from '../conditions.ts'
import { callOf } from '../view.ts'
import { scenario } from './define.ts'
import { repeats, takesNewId } from './modern.ts'
import { promptedByError, prompting } from './required-error.ts'

/** Judges what came after the error, by whomever it was made. */
const onRetry =
  (
    judge: (
      retry: Parameters<typeof takesNewId>[0] & Parameters<typeof repeats>[0],
    ) => ReturnType<Judge>,
  ): Judge =>
  (t) => {
    const { askings, attempts } = callOf(t)
    const [first] = attempts
    const refused = askings.find(({ how }) => how === 'error')?.frame.event
    const retry = attempts.find(({ event }) => refused && isAfter(event, refused))
    if (!first || !refused) return inconclusive('the call was not refused with -32042')
    if (!retry) return inconclusive('the call was not made again', cite(refused))
    const before = attempts.filter(
      ({ event, connection }) => isAfter(refused, event) && connection === retry.connection,
    )
    return judge({ first, before, retry })
  }

/** Its user may have the call made again by words of their own. */
const repeatsOwn: Judge = (t, context) => {
  const [again] = t.steps('again', 'call-1').filter(({ detail }) => detail['by'] !== 'retry')
  const judgement = onRetry(repeats)(t, context)
  return again && judgement.outcome !== 'inconclusive'
    ? pass('its user had the call made again', cite(again))
    : judgement
}

export const errorRetried = scenario({
  id: 'required-error-retried',
  title: 'a call that was refused with -32042 is made again once that is complete',
  control: 'required-error',
  needs: prompting,
  notApplicable: needsHandshake,
  async drive(fixtures) {
    const call = await promptedByError(fixtures)
    await call.accept()
    call.complete()
    await call.retried()
    await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/handle-required-error',
      'makes the same call again',
      repeatsOwn,
    ),
    check(
      'mcp-url-elicitation/client/id-used-once',
      'makes the retry a new request',
      onRetry(takesNewId),
    ),
  ],
})
