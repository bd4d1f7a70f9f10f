/** A toolset that changes: a conversation that begins afterwards has to know of it. */

import {
  cite,
  inconclusive,
  jsonOf,
  NotOffered,
  pass,
  violation,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { describe } from '../toolsets.ts'
import { callOf, isAfter, textOf } from '../view.ts'
import { controls, scenario } from './define.ts'
import { groupPerConversation } from './needs.ts'

const [before, after] = [describe('items'), describe('items, newest first,')]

const described = scenario({
  id: 'toolset-changed',
  title: 'a tool is described otherwise, and another conversation begins',
  control: controls.plain,
  needs: groupPerConversation,
  async drive({ converse, describeTools }) {
    const first = converse().ask()
    await first.awaitInvocation()
    await first.awaitGiven(await first.result())
    describeTools(after)
    const second = converse().ask()
    await second.awaitInvocation()
    await second.awaitGiven(await second.result())
    const [old, fresh] = [first.seen().sent, second.seen().sent]
    if (old['group_id'] === fresh['group_id'])
      throw new NotOffered('it has one group_id for both conversations')
    // RAP Toolsets, Caching: a session is the root thread, and one with ancestors is none.
    const ancestors = fresh['thread_ancestors']
    if (Array.isArray(ancestors) && ancestors.length > 0)
      throw new NotOffered('the second conversation is a part of another one')
  },
  checks: [
    check(
      'rap-oauth/runtime/fresh-toolset-per-session',
      'offers the model what was fetched for the new conversation',
      offersFresh(),
    ),
  ],
})

/** The first request to the model that a conversation makes after the change, with these words in it. */
function offering(t: Transcript, words: string): Recorded<RequestEvent> | undefined {
  const [change] = t.steps('described')
  const { conversation } = callOf(t, 'call-2')
  const asked = t
    .steps('model-asked')
    .filter(({ detail }) => detail['conversation'] === conversation)
    .map(({ detail }) => textOf(detail['exchange']))
  return t
    .requests('model')
    .filter((each) => change && isAfter(each, change) && asked.includes(each.exchange))
    .find(({ body }) => JSON.stringify(jsonOf(body))?.includes(words))
}

/** The request by which the model was told the new description. */
export function describedAnew(t: Transcript): Recorded<RequestEvent> | undefined {
  return offering(t, after)
}

function offersFresh(): Judge {
  return (t) => {
    const [change] = t.steps('described')
    if (!change || callOf(t, 'call-2').conversation === '')
      return inconclusive('no conversation began afterwards')
    const stale = offering(t, before)
    const fresh = describedAnew(t)
    if (stale) {
      return violation(
        'in a new conversation the model is offered a toolset from before: fetch the discovery documents anew for each',
        { expected: after, actual: before },
        cite(change, stale),
      )
    }
    if (!fresh) return inconclusive('the model was not told the description of the tool')
    return pass('as it is described now', cite(change, fresh))
  }
}

export const toolsetScenarios = [described]
