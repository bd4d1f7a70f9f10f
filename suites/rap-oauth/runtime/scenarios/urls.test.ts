import { describeExamples } from '../../../testing.ts'
import { authUrl, waits } from '../vocabulary.ts'
import { options, recording, tokenOf, type Cases } from '../testing.ts'
import { delivered, surfaced } from './testing.ts'
import { urlScenarios } from './urls.ts'

const unsafeUrl = 'https://accounts.provider.example@evil.example/'
const unsafe = () => recording().running().oauth('unsafe', { url: unsafeUrl, answer: 400 })

const hidden: Cases = {
  pass: {
    'the proper one is shown, the unsafe one is not': unsafe().window().oauth().shows(),
    'it is mentioned in a way that nobody can visit': unsafe()
      .shows('refused: https://accounts.provider.example at evil.example')
      .window()
      .oauth()
      .shows(),
    'the call has ended with it': [unsafe().window().oauth(), {}, recording('twin').completed()],
  },
  violation: { 'it is shown': unsafe().shows(unsafeUrl).window() },
  inconclusive: {
    'no invocation': recording().ask().gaveUp(waits.invocation),
    'the run did not watch long enough': unsafe().oauth().shows(),
    'no URL is ever shown': unsafe().window().oauth(),
  },
}

/** A runtime that validates refuses what is no URL by RFC 3986. */
const refused = () => recording().running().oauth('oauth', { answer: 400 })
const beyondAscii = {
  'rap-oauth/runtime/surface-auth-url': {
    ...surfaced,
    violation: {
      ...surfaced.violation,
      'refused, and shown changed': refused()
        .shows(`${authUrl(tokenOf('url', 1))}&utm=1`)
        .gaveUp(waits.surfaced, { of: 'oauth' }),
    },
    inconclusive: { ...surfaced.inconclusive, 'it was refused': refused().gaveUp(waits.surfaced) },
  },
  'rap-oauth/runtime/deliver-result': delivered,
}

describeExamples(
  urlScenarios,
  Object.fromEntries(
    urlScenarios.map(({ id }) => [
      id,
      id.startsWith('unsafe-')
        ? { 'rap-oauth/runtime/no-unsafe-auth-url': hidden }
        : id === 'url-unicode'
          ? beyondAscii
          : {
              'rap-oauth/runtime/surface-auth-url': surfaced,
              'rap-oauth/runtime/deliver-result': delivered,
            },
    ]),
  ),
  options,
)
