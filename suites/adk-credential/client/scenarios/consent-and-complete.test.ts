import { describeExamples } from '../../../testing.ts'
import { options } from '../testing.ts'
import { consentAndComplete } from './consent-and-complete.ts'
import {
  beforeCallback,
  byId,
  carries,
  detected,
  everyOne,
  inSession,
  unaltered,
  unexposed,
  verbatim,
} from './testing.ts'

describeExamples(
  [consentAndComplete],
  {
    'consent-and-complete': {
      'adk-credential/client/request-detected': detected(),
      'adk-credential/client/auth-uri-unaltered': unaltered(),
      'adk-credential/client/no-answer-before-callback': beforeCallback,
      'adk-credential/client/request-answered': everyOne,
      'adk-credential/client/answer-id': byId(),
      'adk-credential/client/answer-carries-auth-config': carries(),
      'adk-credential/client/callback-verbatim': verbatim(),
      'adk-credential/client/same-session': inSession,
      'adk-credential/client/code-not-exposed': unexposed,
    },
  },
  options,
)
