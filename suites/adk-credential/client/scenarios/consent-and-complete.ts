import { answersById, carriesConfig, passesOnCallback, staysInSession } from '../answer-checks.ts'
import {
  answersEvery,
  answersNothingBefore,
  check,
  detectsRequest,
  opensUnaltered,
} from '../checks.ts'
import { exposesNoCode } from '../exposure.ts'
import { scenario } from './define.ts'

export const consentAndComplete = scenario({
  id: 'consent-and-complete',
  title:
    'the agent asks for a credential, the user thinks, approves and comes back; the call is answered',
  async drive({ open, observe }) {
    const client = await open()
    const call = await client.begin()
    await call.opened()
    // What comes before the callback comes now.
    await observe()
    await call.complete()
    await call.answered()
    await call.told()
  },
  checks: [
    check(
      'adk-credential/client/request-detected',
      'sends its user to the authorization URL',
      detectsRequest(),
    ),
    check(
      'adk-credential/client/auth-uri-unaltered',
      'opens the URL as it came, with one redirect URI',
      opensUnaltered(),
    ),
    check(
      'adk-credential/client/no-answer-before-callback',
      'answers nothing while the user thinks',
      answersNothingBefore,
    ),
    check(
      'adk-credential/client/request-answered',
      'answers when the user has come back',
      answersEvery(1),
    ),
    check('adk-credential/client/answer-id', 'answers with the id of the request', answersById),
    check(
      'adk-credential/client/answer-carries-auth-config',
      'answers with the AuthConfig as it came',
      carriesConfig,
    ),
    check(
      'adk-credential/client/callback-verbatim',
      'passes the callback on as it came',
      passesOnCallback,
    ),
    check(
      'adk-credential/client/same-session',
      'answers in the session that was asked in',
      staysInSession,
    ),
    check('adk-credential/client/code-not-exposed', 'shows the code to nobody', exposesNoCode),
  ],
})
