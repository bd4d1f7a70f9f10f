/** Callbacks that are no result of the call: unknown ids, wrong types, missing fields, no message at all. */

import { anyName } from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { ignoresResult } from '../judges/given-results.ts'
import { refusesProperly } from '../judges/answers.ts'
import type { Fields } from '../vocabulary.ts'
import { controls, scenario } from './define.ts'
import { endsNothing, forgedText, survives, thenGenuine } from './forgery.ts'

interface Forgery {
  readonly id: string
  readonly title: string
  readonly requirement:
    'rap-oauth/runtime/discard-unmatched-result' | 'rap-oauth/runtime/validate-callbacks'
  readonly fields: (token: string, invocation: Fields) => Fields
  /** What shows that it was taken; default: its words. */
  readonly judge?: Judge
}

const forgeries: readonly Forgery[] = [
  {
    id: 'result-unknown-group',
    title: 'a result with an unknown group_id',
    requirement: 'rap-oauth/runtime/discard-unmatched-result',
    fields: (token) => ({ group_id: anyName('group'), text: forgedText(token) }),
  },
  {
    id: 'result-unknown-id',
    title: 'a result with an unknown id',
    requirement: 'rap-oauth/runtime/discard-unmatched-result',
    fields: (token) => ({ id: anyName('call'), text: forgedText(token) }),
  },
  {
    // RAP Subscription Events, Security Considerations: a call has a subscription once its result says so.
    id: 'event-without-subscription',
    title: 'a subscription_event of a call that has no subscription',
    requirement: 'rap-oauth/runtime/discard-unmatched-result',
    fields: (token, { id }) => ({
      type: 'subscription_event',
      tool_call_id: id,
      text: forgedText(token),
      associative: true,
    }),
  },
  {
    id: 'result-wrong-types',
    title: 'a result whose text and content have the wrong types',
    requirement: 'rap-oauth/runtime/validate-callbacks',
    fields: (token) => ({ text: { value: forgedText(token) }, content: forgedText(token) }),
  },
  {
    id: 'result-missing-id',
    title: 'a result without id',
    requirement: 'rap-oauth/runtime/validate-callbacks',
    fields: (token) => ({ id: undefined, text: forgedText(token) }),
  },
  {
    id: 'result-missing-group',
    title: 'a result without group_id',
    requirement: 'rap-oauth/runtime/validate-callbacks',
    fields: (token) => ({ group_id: undefined, text: forgedText(token) }),
  },
  {
    // RAP Tool Result, Fields: one of the two is required; what is displayed is none of them.
    id: 'result-without-text-and-content',
    title: 'a result that has neither text nor content',
    requirement: 'rap-oauth/runtime/validate-callbacks',
    fields: (token) => ({ display_as: [{ type: 'text', content: forgedText(token) }] }),
    judge: endsNothing('forged'),
  },
  {
    id: 'message-unknown-type',
    title: 'a message of an unknown type',
    requirement: 'rap-oauth/runtime/validate-callbacks',
    fields: (token) => ({ type: 'tool_outcome', text: forgedText(token) }),
  },
]

export const forgedResultScenarios = forgeries.map(({ id, title, requirement, fields, judge }) =>
  scenario({
    id,
    title: `${title}, then the genuine one`,
    control: controls.plain,
    async drive({ converse, observe }) {
      const conversation = converse()
      const call = conversation.ask()
      await call.awaitInvocation()
      const token = call.token('forged')
      await call.deliver(
        'forged',
        { type: 'tool_result', ...fields(token, call.seen().sent) },
        { token },
      )
      await observe()
      await thenGenuine(call, conversation)
    },
    checks: [
      check(
        requirement,
        `gives nothing of ${title} to the model`,
        judge ?? ignoresResult('forged'),
      ),
      check(
        'rap-oauth/runtime/reject-invalid-callback',
        `refuses or ignores ${title}`,
        refusesProperly('forged'),
      ),
      check('rap-oauth/runtime/survive-malformed-callback', 'keeps the call', survives('forged')),
    ],
  }),
)

/** Bodies that are no message; the media type says JSON unless told otherwise. */
const bodies: readonly (readonly [string, string, () => string, string?])[] = [
  ['body-no-json', 'a body that is not JSON', () => '{"type":"tool_result","text":'],
  ['body-array', 'a JSON array', () => '[{"type":"tool_result"}]'],
  ['body-empty', 'an empty body', () => ''],
  [
    'body-form',
    'a form instead of JSON',
    () => 'type=tool_result&text=done',
    'application/x-www-form-urlencoded',
  ],
  [
    'body-large',
    'a body of five megabytes',
    () => JSON.stringify({ type: 'tool_result', text: 'x'.repeat(5 * 1024 * 1024) }),
  ],
  ['body-deep', 'a deeply nested body', () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
]

export const malformedBodyScenarios = bodies.map(
  ([id, title, body, contentType = 'application/json']) =>
    scenario({
      id,
      title: `${title} at the callback URL, then the genuine result`,
      control: controls.plain,
      async drive({ converse }) {
        const conversation = converse()
        const call = conversation.ask()
        await call.awaitInvocation()
        await call.send('forged', body(), { contentType })
        await thenGenuine(call, conversation)
      },
      checks: [
        check(
          'rap-oauth/runtime/survive-malformed-callback',
          `survives ${title}`,
          survives('forged'),
        ),
        check(
          'rap-oauth/runtime/reject-invalid-callback',
          `refuses or ignores ${title}`,
          refusesProperly('forged'),
        ),
      ],
    }),
)
