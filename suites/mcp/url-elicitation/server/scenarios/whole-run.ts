import { handoff } from '../handoff.ts'
import {
  challengesDiffer,
  leakChecks,
  loadsNothingForeign,
  othersDataKept,
  statesDifferInRun,
  tokensInHeaders,
} from '../../../../oauth-client/scenarios/index.ts'
import { check, ofClients, unlessModern } from '../checks.ts'
import { cleanUrls, everyAsking, insecureUrl, validErrors, wrongRequest } from './askings.ts'
import { scenario } from './define.ts'
import { ownBrowserOnly } from './login-cookies.ts'
import { namesWhatThereIs } from './two-sessions.ts'
import { noLinksInForms, noSecretsByForm } from './forms.ts'
import { ofUsers } from './users.ts'
import { noPassthrough } from '../../../server/no-passthrough.ts'
import { credentialsOffWire, isAsking, isPage, isResult } from './leaks.ts'

export const wholeRun = scenario({
  id: 'whole-run',
  title: 'everything that was recorded, together',
  after: 'all',
  async drive({ recordOutputFiles }) {
    await recordOutputFiles()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/request-valid',
      'sends valid elicitations only',
      everyAsking(wrongRequest, 'an elicitation in URL mode is invalid'),
    ),
    check(
      'mcp-url-elicitation/server/error-valid',
      'lists what is required',
      unlessModern(validErrors),
    ),
    check(
      'mcp-url-elicitation/server/complete-id',
      'names what there is in every notification of completion',
      unlessModern(namesWhatThereIs),
    ),
    check(
      'mcp-url-elicitation/server/https',
      'sends https URLs, except for the loopback interface',
      everyAsking(insecureUrl, 'a URL is not an https one'),
    ),
    check(
      'mcp-url-elicitation/server/clean-url',
      'puts nothing about the user into a URL',
      cleanUrls,
    ),
    check(
      'mcp-url-elicitation/server/no-secrets-by-form',
      'asks for no secret by a form',
      noSecretsByForm,
    ),
    check(
      'mcp-url-elicitation/server/no-links-in-forms',
      'shows no link in a form',
      noLinksInForms,
    ),
    ofClients(
      check(
        'mcp-url-elicitation/server/credentials-off-wire',
        'sends no credential of the third party to a client',
        credentialsOffWire,
      ),
    ),
    ownBrowserOnly,
    check(
      'mcp-url-elicitation/server/no-passthrough',
      'never presents the token of an MCP client to the API',
      noPassthrough,
    ),
    ...[
      ...leakChecks({ result: isResult, asked: isAsking, other: isPage }),
      challengesDiffer,
      tokensInHeaders,
      statesDifferInRun(handoff),
      loadsNothingForeign,
      ofUsers(othersDataKept(handoff)),
    ].map(ofClients),
  ],
})
