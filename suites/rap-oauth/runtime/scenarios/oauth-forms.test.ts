import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Recording } from '../testing.ts'
import { oauthFormScenarios } from './oauth-forms.ts'

/** The message was refused, and its URL waited for in vain. */
const refused = (): Recording =>
  recording().running().oauth('oauth', { answer: 400 }).gaveUp(waits.surfaced, { of: 'oauth' })

describeExamples(
  oauthFormScenarios,
  {
    'oauth-with-extra-fields': {
      'rap-oauth/runtime/accept-extra-fields': {
        pass: { 'its URL is shown': recording().running().oauth().shows() },
        violation: { 'that of a plain message alone': refused().oauth('plain-oauth').shows() },
        inconclusive: {
          'no invocation': recording().ask().gaveUp(waits.invocation),
          'nor is that of a plain message': refused()
            .oauth('plain-oauth')
            .gaveUp(waits.surfaced, { of: 'plain-oauth' }),
          'no plain message was sent': refused(),
          'the run did not wait for it': recording().running().oauth(),
        },
      },
    },
  },
  options,
)
