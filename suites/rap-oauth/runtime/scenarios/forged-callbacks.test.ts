import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Cases } from '../testing.ts'
import { forgedAuthorizationScenarios } from './forged-authorizations.ts'
import { forgedResultScenarios, malformedBodyScenarios } from './forged-callbacks.ts'
import { nearlyRightScenarios } from './nearly-right-results.ts'
import { ignored, refused, surfaced, survived } from './testing.ts'

const unmatched = ['result-unknown-group', 'result-unknown-id', 'event-without-subscription']
const invalid = [
  'result-wrong-types',
  'result-missing-id',
  'result-missing-group',
  'message-unknown-type',
]
const bodies = ['json', 'array', 'empty', 'form', 'large', 'deep'].map((name) =>
  name === 'json' ? 'body-no-json' : `body-${name}`,
)
const forgedOAuth = ['oauth-unknown-id', 'oauth-unknown-group', 'oauth-missing-id']

/** A genuine URL was shown; then a forged message came, and perhaps its URL. */
const forged = () => recording().running().oauth().shows().forge('forged', { url: true })

const hidden: Cases = {
  pass: {
    'nothing of it': forged().window(),
    'nor of the genuine one, but URLs are shown in general': [
      recording().running().forge('forged', { url: true }).window(),
      {},
      recording('twin').completed(),
    ],
  },
  violation: {
    'as a link': forged().shows(),
    'as a part of a text': (() => {
      const t = forged()
      return t.shows(`somebody sent ${t.last('url')}`)
    })(),
    'to somebody else': forged().shows(undefined, 'conv-9'),
  },
  inconclusive: {
    'no invocation': recording().ask().gaveUp(waits.invocation),
    'nobody took it': recording()
      .running()
      .oauth()
      .shows()
      .forge('forged', { url: true, answer: 'ECONNREFUSED' })
      .window(),
    'the run did not watch long enough': forged(),
    'the genuine URL was not shown either': recording()
      .running()
      .oauth()
      .forge('forged', { url: true })
      .window(),
  },
}

/** What is too long may be cut off by closing the connection; a runtime must not hang on it. */
const large = (answer: 'ECONNRESET' | 'timeout' | 413) =>
  recording()
    .running()
    .step('deliver', { name: 'forged', exchange: 'x3', token: '' })
    .exchange('callback', 'http://127.0.0.1:4300/callback', 'x'.repeat(1024 * 1024 + 1), answer)

const refusedLarge: Cases = {
  pass: { 'by 413': large(413), 'by closing the connection': large('ECONNRESET') },
  violation: { 'by no answer': large('timeout') },
  inconclusive: refused().inconclusive,
}

/** What is no result was taken all the same, so that the genuine one comes to nothing. */
const lost = (answer: number) =>
  recording().running().forge('forged', { answer }).window().result().gaveUp(waits.given)

const ending: Cases = {
  ...ignored(),
  violation: { ...ignored().violation, 'it ended the call': lost(200) },
}

describeExamples(
  [
    ...forgedResultScenarios,
    ...nearlyRightScenarios,
    ...malformedBodyScenarios,
    ...forgedAuthorizationScenarios,
  ],
  {
    ...Object.fromEntries(
      [...unmatched, ...invalid].map((id) => [
        id,
        {
          [unmatched.includes(id)
            ? 'rap-oauth/runtime/discard-unmatched-result'
            : 'rap-oauth/runtime/validate-callbacks']: ignored(),
          'rap-oauth/runtime/reject-invalid-callback': refused(),
          'rap-oauth/runtime/survive-malformed-callback': survived,
        },
      ]),
    ),
    'result-without-text-and-content': {
      'rap-oauth/runtime/validate-callbacks': ending,
      'rap-oauth/runtime/reject-invalid-callback': refused(),
      'rap-oauth/runtime/survive-malformed-callback': survived,
    },
    ...Object.fromEntries(
      ['result-similar-id', 'result-similar-group'].map((id) => [
        id,
        { 'rap-oauth/runtime/discard-unmatched-result': ignored('forged in other case') },
      ]),
    ),
    'result-other-group': { 'rap-oauth/runtime/discard-unmatched-result': ignored() },
    ...Object.fromEntries(
      bodies.map((id) => [
        id,
        {
          'rap-oauth/runtime/survive-malformed-callback': survived,
          'rap-oauth/runtime/reject-invalid-callback':
            id === 'body-large' ? refusedLarge : refused(),
        },
      ]),
    ),
    ...Object.fromEntries(
      [...forgedOAuth, 'oauth-after-completion'].map((id) => [
        id,
        { 'rap-oauth/runtime/no-surface-without-call': hidden },
      ]),
    ),
    'oauth-invalid-url-field': {
      'rap-oauth/runtime/surface-auth-url': surfaced,
      'rap-oauth/runtime/reject-invalid-callback': refused('missing'),
      'rap-oauth/runtime/survive-malformed-callback': survived,
    },
  },
  options,
)
