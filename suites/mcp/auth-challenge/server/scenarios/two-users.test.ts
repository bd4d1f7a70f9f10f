import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { namesItsUser } from '../view.ts'
import { options, recording, type Recording } from '../testing.ts'
import { twoUsers, usersAtOnce, usersOfOtherCase } from './two-users.ts'

const signedIn = (t: Recording, subject: string, said: string) =>
  t.call().served(said).step('signed-in', { subject })
const first = (said = 'a note of ann') => signedIn(recording().followed(), 'ann', said)
const second = (said = 'a note of bob') => signedIn(first(), 'bob', said)
const third = (said = 'a note of ann') => signedIn(second(), 'ann', said)
const controlOf = (subject: string) =>
  recording('challenged-then-served').event({
    type: 'provider',
    event: 'decision',
    detail: { subject },
  })

/** What is left of `users-at-once`. */
const atOnce = (said = 'a note of bob') =>
  ['ann', 'bob', 'ann', 'bob', 'ann'].reduce(
    (t, user) => signedIn(t, user, `a note of ${user}`),
    signedIn(second(), 'bob', said),
  )
const ofOtherCase = (said: string) =>
  signedIn(
    signedIn(signedIn(recording().followed(), 'Ann', 'a note of Ann'), 'ann', said),
    'Ann',
    'a note of Ann',
  )
const knowing = (t: Recording, ...subjects: string[]) => t.step('users-of-the-run', { subjects })

describeExamples(
  [twoUsers, usersAtOnce, usersOfOtherCase],
  {
    'users-of-other-case': {
      'mcp-auth-challenge/server/own-account': {
        pass: { 'each has their own': ofOtherCase('a note of ann') },
        violation: { 'one gets what the other got': ofOtherCase('a note of Ann') },
        inconclusive: {
          'the first is named in small letters': signedIn(
            recording().followed(),
            'Ann',
            'a note of ann',
          ),
          'the second one is not named': ofOtherCase('a note'),
        },
      },
    },
    'users-at-once': {
      'mcp-auth-challenge/server/own-account': {
        pass: { 'each has their own': atOnce() },
        violation: {
          'one gets what the other gets': atOnce('a note of ann'),
          'one gets what somebody gets elsewhere': knowing(atOnce('a note of eve'), 'eve'),
        },
        inconclusive: {
          'nobody is named': first('a note'),
          'one is not named': atOnce('a note'),
          'they did not call at once': second(),
        },
      },
    },
    'two-users': {
      'mcp-auth-challenge/server/own-account': {
        pass: {
          'each has their own': third(),
          'another one had the control': [third(), {}, controlOf('cid')],
          'others were there': knowing(third(), 'ann', 'bob', 'eve'),
          'the name of another one stands in their own': knowing(third(), 'an'),
        },
        violation: {
          'the second gets what the first got': second('a note of ann'),
          'the second gets both': second('notes of ann and bob'),
          'the first gets what the second got': third('a note of bob'),
          'somebody gets what a user of another scenario gets': knowing(
            first('a note of eve'),
            'ann',
            'eve',
          ),
          'somebody gets what the first of all got': [first('a note of cid'), {}, controlOf('cid')],
        },
        inconclusive: {
          'nobody is named': first('a note'),
          'the second one is not named': signedIn(second('a note'), 'ann', 'a note of ann'),
          'the second one was not served': first().call().http(401),
          'nobody signed in': recording().complete('a note of ann'),
        },
      },
    },
  },
  options,
)

test('a result that names its user is one', () => {
  expect(namesItsUser(first().transcript, 'call-2')).toBe(true)
  expect(namesItsUser(first('a note').transcript, 'call-2')).toBe(false)
})
