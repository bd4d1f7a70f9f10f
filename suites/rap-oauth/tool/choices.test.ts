import { expect, test } from 'vitest'
import type { Body } from '../../../harness/engine/index.ts'
import { answeringChoices, type Choice } from './choices.ts'

const url = 'http://127.0.0.1:4100/choice'
const bodyOf = (value: unknown): Body => {
  const text = JSON.stringify(value)
  return { text, bytes: text.length }
}
const question = (fields: object) =>
  bodyOf({ type: 'user_choice', id: '7', choices: ['a', 'b'], response_url: url, ...fields })

/** What is answered to these messages, and what is asked of the plan. */
function answersTo(...bodies: readonly Body[]) {
  const answers: Choice[] = []
  const planned: number[] = []
  const plan = (_: Body, nth: number) => 200 + (planned.push(nth) && nth)
  const reply = answeringChoices(plan, (choice) => void answers.push(choice))
  const replies = bodies.map((body, nth) => reply(body, nth))
  return { replies, answers: answers.map(({ body }) => JSON.parse(body) as unknown), planned }
}

test.each([
  ['the default', { default: 1 }, 1],
  ['the first, where there is no default', {}, 0],
  ['the first, where the default is none of them', { default: 2 }, 0],
])('%s is chosen', (_, fields, selected) => {
  expect(answersTo(question(fields)).answers).toEqual([{ id: '7', selected }])
})

test('a question is answered once, and counts for no plan', () => {
  const other = bodyOf({ type: 'oauth' })
  const { replies, answers, planned } = answersTo(question({}), question({}), other)
  expect([replies, answers.length, planned]).toEqual([[200, 200, 200], 1, [0]])
})

test('what has nowhere to be answered is a message like any other', () => {
  expect(answersTo(question({ response_url: 'here' })).answers).toEqual([])
})
