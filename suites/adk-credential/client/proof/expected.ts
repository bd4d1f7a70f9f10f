/**
 * What each defect of the reference client application must do to the verdicts, no more and no less. Declared, not
 * recorded: where a line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'
import { adkClient } from '../profile.ts'

const noForeignResources = 'oauth-client/no-foreign-resources-on-callback-page'
const id = (name: string): string => (name.includes('/') ? name : `adk-credential/client/${name}`)

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

/** What the agent has not taken is not answered by another request. */
const nothingMore = ['request-detected', 'every-request-answered']

export const expected: Readonly<Record<string, Expectation>> = {
  'requests-ignored': {
    turns: [id('request-detected')],
    unproven: allBut('request-detected'),
  },
  'camel-case-only': turns(['request-detected'], ['auth-uri-unaltered', ...answers]),
  'request-needs-a-role': turns(['request-detected'], ['auth-uri-unaltered', ...answers]),
  'first-event-only': turns(
    ['request-detected', 'every-request-answered'],
    ['auth-uri-unaltered', 'same-session', ...answers],
  ),
  'first-request-only': turns(['every-request-answered']),
  'asked-once-only': turns(
    ['request-detected', 'every-request-answered'],
    [
      'auth-uri-unaltered',
      'answer-carries-auth-config',
      'callback-verbatim',
      'same-session',
      'users-apart',
    ],
  ),
  'requests-in-answers-ignored': turns(['request-detected', 'every-request-answered']),
  'redirect-appended-blindly': turns(['auth-uri-unaltered'], answers),
  'redirect-replaced': turns(['auth-uri-unaltered']),
  'redirect-always-own': turns(['auth-uri-unaltered']),
  'url-decoded': turns(['auth-uri-unaltered']),
  'any-scheme-opened': turns(['unsafe-uri-not-opened']),
  'loopback-by-prefix': turns(['unsafe-uri-not-opened']),
  'loopback-by-suffix': turns(['unsafe-uri-not-opened']),
  'private-networks-trusted': turns(['unsafe-uri-not-opened']),
  'loopback-by-first-byte': turns(['unsafe-uri-not-opened']),
  'https-anywhere': turns(['unsafe-uri-not-opened']),
  'loopback-of-any-scheme': turns(['unsafe-uri-not-opened']),
  'schemes-blocked-by-list': turns(['unsafe-uri-not-opened']),
  'anything-opened': turns(['unsafe-uri-not-opened']),
  'answers-paused-call': {
    turns: [id('answer-id'), id('request-answered'), id('every-request-answered')],
    unproven: allBut('code-not-exposed', noForeignResources),
  },
  // The agent takes no such answer.
  'answer-without-name': turns(
    ['answer-carries-auth-config', 'denial-forwarded', 'error-forwarded'],
    ['answered-once', 'callback-verbatim', 'failure-shown', 'same-session', ...nothingMore],
  ),
  'later-answers-without-name': turns(['answer-carries-auth-config']),
  'config-dropped': turns(['answer-carries-auth-config']),
  'state-rewritten': turns(['answer-carries-auth-config']),
  'callback-without-query': turns(['callback-verbatim', 'denial-forwarded', 'error-forwarded']),
  'callback-decoded': turns(['callback-verbatim']),
  'redirect-not-named': turns(['callback-verbatim']),
  'new-session-for-answer': turns(
    ['same-session', 'denial-forwarded', 'error-forwarded'],
    [
      'answer-carries-auth-config',
      'answered-once',
      'callback-verbatim',
      'failure-shown',
      ...nothingMore,
    ],
  ),
  'newest-session-for-answer': turns(['same-session']),
  'one-user-for-all': turns(['users-apart']),
  'users-in-lower-case': turns(['users-apart']),
  // What comes after the callback is not taken any more.
  'answers-at-once': turns(['no-answer-before-callback'], ['answered-once']),
  'paused-call-answered': turns(['no-answer-before-callback']),
  'pending-dropped-late': turns(['answered-once']),
  'config-of-newest-request': turns(['answer-carries-auth-config']),
  'callback-of-first-request': turns(['callback-verbatim']),
  'state-by-its-beginning': turns(['foreign-state-refused']),
  'state-cut-taken': turns(['foreign-state-refused']),
  'state-with-more-taken': turns(['foreign-state-refused']),
  'state-case-ignored': turns(['foreign-state-refused']),
  'state-compared-if-there': turns(['foreign-state-refused']),
  'callback-answered-twice': turns(['answered-once']),
  'denial-answered-twice': turns(['answered-once']),
  'never-answers': {
    turns: [
      id('request-answered'),
      id('every-request-answered'),
      id('denial-forwarded'),
      id('error-forwarded'),
    ],
    unproven: allBut('code-not-exposed', noForeignResources),
  },
  'denial-swallowed': turns(
    ['denial-forwarded', 'error-forwarded'],
    ['answered-once', 'request-detected'],
  ),
  'denials-alone-forwarded': turns(['error-forwarded']),
  'denial-as-empty-code': turns(['denial-forwarded', 'error-forwarded']),
  'any-state-taken': turns(['foreign-state-refused']),
  'state-of-denials-ignored': turns(['foreign-state-refused']),
  'code-on-page': turns(['code-not-exposed']),
  'callback-page-unescaped': { turns: ['oauth-client/escape-pages'] },
  'denial-remembered': turns(['request-detected']),
  'callback-posted-to-anybody': turns(['code-not-exposed']),
  'pixel-on-callback-page': { turns: [noForeignResources] },
  'pixel-by-script-on-callback-page': { turns: [noForeignResources] },
  'code-in-log': turns(['code-not-exposed']),
  'failure-silent': turns(['failure-shown']),
}
