import { describeTool } from './describe-tool.ts'
import { go, goFerry } from './tools.ts'

describeTool(go, [
  ['state-reopened-after-failed-exchange', 'state-of-failed-exchange', 'state-single-use'],
  ['follow-token-redirects', 'exchange-redirected-elsewhere', 'no-credentials-elsewhere'],
  ['timer-not-stopped', 'completed-before-timeout', 'single-result'],
])

describeTool(goFerry, [
  ['state-with-more', 'state-extended', 'validate-state'],
  ['state-in-any-case', 'state-other-case', 'validate-state'],
  ['api-redirect-followed', 'api-redirected-elsewhere', 'no-token-elsewhere'],
  ['refresh-unverified', 'impostor-at-refresh', 'verify-provider-certificate'],
  ['made-up-with-count', 'api-fails-later', 'report-failed-operation'],
  ['refused-refresh-is-an-error', 'refresh-refused', 'reauthorize-when-token-invalid'],
])
