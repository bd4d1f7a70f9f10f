import { describeTool } from './describe-tool.ts'
import { perl } from './tools.ts'

describeTool(perl, [
  ['refresh-token-forgotten', 'refresh-without-rotation', 'refresh-expired-token'],
  ['falsy-call-id', 'call-id-zero', 'echo-call-id'],
  ['users-trimmed', 'similar-user-ids', 'token-bound-to-user'],
  ['cancelled-by-id-alone', 'cancellation-in-another-thread', 'cancel-in-thread'],
  ['tls-unverified', 'certificate-of', 'verify-provider-certificate'],
])
