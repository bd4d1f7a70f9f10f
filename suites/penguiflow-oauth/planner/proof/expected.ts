/**
 * What each defect of the reference planner must do to the verdicts, no more and no less. Declared, not recorded: where a
 * line has to change, a check or a defect has changed its meaning.
 */

import { judgedBut } from '../../../../tests/proof/expectation.ts'
import type { Expectation } from '../../../../tests/proof/role.ts'
import { penguiflowPlanner } from '../profile.ts'

/** A row of this profile. */
const row = (name: string): string => `penguiflow-oauth/planner/${name}`
const rows = (...names: readonly string[]): readonly string[] => names.map(row)

/** Where a defect ends nearly every flow, what can still be judged is the shorter list. */
const allBut = (...proven: readonly string[]): readonly string[] =>
  judgedBut(penguiflowPlanner, rows(...proven))

export const expected: Readonly<Record<string, Expectation>> = {
  'never-pauses': {
    turns: rows('pause-without-token'),
    unproven: allBut('pause-without-token'),
  },
  'api-before-pause': { turns: rows('pause-without-token', 'resume-before-consent') },
  'reason-other': { turns: rows('pause-payload') },
  'provider-is-always-oauth': { turns: rows('pause-payload', 'pauses-of-one-step') },
  'provider-is-always-the-first': { turns: rows('pause-payload', 'pauses-of-one-step') },
  'second-pause-bare': {
    turns: rows('pause-payload', 'payload-fields'),
    unproven: rows('pauses-of-one-step'),
    comparedWith: ['two-providers-in-one-step'],
  },
  'provider-missing': { turns: rows('pause-payload'), unproven: rows('pauses-of-one-step') },
  'display-name-missing': { turns: rows('payload-fields') },
  'state-missing': { turns: rows('payload-fields') },
  'anonymous-pauses': { turns: rows('user-id-required') },
  'anonymous-call': { turns: rows('user-id-required') },
  'tokens-of-conversation': {
    turns: rows('no-pause-with-token'),
    unproven: rows('own-token-at-api', 'token-refused'),
  },
  'refused-token-is-the-end': {
    turns: rows('token-refused'),
    unproven: rows('run-after-consent'),
  },
  'refused-token-stays': { turns: rows('run-after-consent') },
  'token-of-another-after-refusal': {
    turns: rows('own-token-at-api', 'token-refused'),
    unproven: rows('run-after-consent'),
  },
  'unknown-handle-is-a-new-run': { turns: rows('unknown-handle') },
  'second-call-fails': { turns: rows('pauses-of-one-step') },
  'second-resumption-fails': { turns: rows('pauses-of-one-step') },
  'second-call-forgotten': {
    turns: rows('pauses-of-one-step'),
    unproven: rows('no-token-in-record', 'pause-without-token'),
  },
  'tokens-of-user-alone': {
    turns: rows('pause-without-token', 'pauses-of-one-step'),
    unproven: rows('no-token-in-record'),
  },
  'tokens-in-any-case': {
    turns: rows('own-token-at-api'),
    unproven: rows('handle-bound-to-user'),
  },
  'remembers-for-all': { turns: rows('isolate-pauses') },
  'pauses-of-one-name': {
    turns: rows('isolate-pauses'),
    unproven: rows('own-token-at-api'),
  },
  'one-pause-per-user': { turns: rows('isolate-pauses') },
  'newest-conversation-resumed': { turns: rows('isolate-pauses') },
  'state-of-one-name': {
    turns: rows('isolate-pauses'),
    unproven: rows('own-token-at-api', 'pause-without-token', 'pauses-of-one-step'),
  },
  'token-of-newest-user': { turns: rows('own-token-at-api', 'run-after-consent') },
  'user-of-first-message': { turns: rows('own-token-at-api', 'user-id-required') },
  'nothing-after-consent': {
    turns: rows('run-after-consent'),
    unproven: allBut(
      'handle-opaque',
      'no-credentials-in-model',
      'no-pause-with-token',
      'no-secrets-in-output',
      'no-state-in-model',
      'no-token-in-record',
      'pause-payload',
      'payload-fields',
      'run-after-consent',
      'token-refused',
      'user-id-required',
    ),
  },
  'believes-the-word': { turns: rows('resume-before-consent') },
  'newest-token-when-told': { turns: rows('resume-before-consent') },
  'any-handle': { turns: rows('unknown-handle') },
  'handle-by-its-beginning': { turns: rows('unknown-handle') },
  'handle-by-its-end': { turns: rows('unknown-handle') },
  'handle-cut-taken': { turns: rows('unknown-handle') },
  'handle-with-more-taken': { turns: rows('unknown-handle') },
  'handle-in-any-case': { turns: rows('unknown-handle') },
  'counted-handles': { turns: rows('handle-opaque') },
  'handles-of-conversation': { turns: rows('handle-opaque') },
  'handles-of-state': { turns: rows('handle-opaque') },
  'handles-are-states-backwards': { turns: rows('handle-opaque') },
  'user-in-handle': { turns: rows('handle-opaque') },
  'handles-reused': { turns: rows('handle-single-use') },
  'handles-forgotten-late': { turns: rows('handle-single-use') },
  'runs-kept-alive': { turns: rows('handle-single-use') },
  'used-handles-in-memory': { turns: rows('handle-single-use') },
  // Another process begins alike.
  'handles-alike-in-every-process': {
    turns: rows('handle-opaque'),
    comparedWith: ['resume-early', 'no-user-id'],
  },
  'user-of-resumption': { turns: rows('handle-bound-to-user') },
  'user-of-resumption-in-any-case': { turns: rows('handle-bound-to-user') },
  'pauses-in-memory': { turns: rows('durable-pause') },
  'user-not-kept': { turns: rows('durable-pause') },
  'lost-pauses-end-in-words': {
    turns: rows('durable-pause', 'isolate-pauses'),
    unproven: rows('own-token-at-api'),
  },
  'denial-runs-tool': { turns: rows('denial') },
  'denial-unheard': { turns: rows('denial') },
  'denial-without-a-word': { turns: rows('denial') },
  'denial-hangs': { turns: rows('denial') },
  'token-in-result': { turns: rows('no-token-in-model', 'no-token-in-record') },
  'token-in-error': { turns: rows('no-token-in-model') },
  'state-to-model': { turns: rows('no-state-in-model') },
  'handle-to-model': { turns: rows('no-state-in-model') },
  'client-secret-to-model': { turns: rows('no-credentials-in-model') },
  'token-logged': { turns: rows('no-secrets-in-output') },
  'context-in-record': { turns: rows('no-token-in-record') },
}
