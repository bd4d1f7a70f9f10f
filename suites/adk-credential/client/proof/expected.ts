/**
 * What each defect of the reference client application must do to the verdicts, no more and no less. Declared, not
 * recorded: where a line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'
import { adkClient } from '../profile.ts'

const id = (name: string): string => `adk-credential/client/${name}`

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(adkClient, proven.map(id))

/** What a defect turns, and what is without proof because of it. */
const turns = (names: readonly string[], unproven: readonly string[] = []): Expectation => ({
  turns: names.map(id),
  unproven: unproven.map(id),
})

/** Where the browser does not come back, nothing is answered. */
const answers = ['request-answered', 'answer-id', 'answer-carries-auth-config', 'callback-verbatim']

export const expected: Readonly<Record<string, Expectation>> = {
  'requests-ignored': {
    turns: [id('request-detected')],
    unproven: allBut('request-detected'),
  },
  'camel-case-only': turns(['request-detected'], ['auth-uri-unaltered', ...answers]),
  'request-needs-a-role': turns(['request-detected'], ['auth-uri-unaltered', ...answers]),
  'first-event-only': turns(['request-detected'], ['auth-uri-unaltered', ...answers]),
  'first-request-only': turns(['every-request-answered']),
  'asked-once-only': turns(
    ['request-detected'],
    ['auth-uri-unaltered', 'same-session', 'users-apart'],
  ),
  'redirect-appended-blindly': turns(['auth-uri-unaltered'], answers),
  'redirect-replaced': turns(['auth-uri-unaltered']),
  'url-decoded': turns(['auth-uri-unaltered']),
  'any-scheme-opened': turns(['unsafe-uri-not-opened']),
  'anything-opened': turns(['unsafe-uri-not-opened']),
  'answers-paused-call': {
    turns: [id('answer-id'), id('request-answered'), id('every-request-answered')],
    unproven: allBut('code-not-exposed'),
  },
  // The agent takes no such answer.
  'answer-without-name': turns(['answer-carries-auth-config'], ['answered-once', 'failure-shown']),
  'config-dropped': turns(['answer-carries-auth-config']),
  'state-rewritten': turns(['answer-carries-auth-config']),
  'callback-without-query': turns(['callback-verbatim']),
  'callback-decoded': turns(['callback-verbatim']),
  'redirect-not-named': turns(['callback-verbatim']),
  'new-session-for-answer': turns(
    ['same-session', 'denial-forwarded'],
    ['answered-once', 'failure-shown'],
  ),
  'newest-session-for-answer': turns(['same-session']),
  'one-user-for-all': turns(['users-apart']),
  // What comes after the callback is not taken any more.
  'answers-at-once': turns(['no-answer-before-callback'], ['answered-once']),
  'paused-call-answered': turns(['no-answer-before-callback']),
  'callback-answered-twice': turns(['answered-once']),
  'never-answers': {
    turns: [id('request-answered'), id('every-request-answered'), id('denial-forwarded')],
    unproven: allBut('code-not-exposed'),
  },
  'denial-swallowed': turns(['denial-forwarded']),
  'any-state-taken': turns(['foreign-state-refused']),
  'state-of-denials-ignored': turns(['foreign-state-refused']),
  'code-on-page': turns(['code-not-exposed']),
  'code-in-log': turns(['code-not-exposed']),
  'failure-silent': turns(['failure-shown']),
}
