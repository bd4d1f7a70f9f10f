import { anywhere, describeTool } from './describe-tool.ts'
import { python, pythonSpool, pythonByCurl } from './tools.ts'

describeTool(python, [
  ['deny-first-only', 'two-calls-of-one-user-denied', 'report-denial'],
  ['flow-by-thread', 'two-users-in-one-thread', 'token-bound-to-user'],
  ['store-compressed', anywhere, 'encrypt-at-rest'],
])

describeTool(pythonSpool, [])

describeTool(pythonByCurl, [
  ['insecure', 'certificate-of-unknown', 'verify-provider-certificate'],
  ['retries-4xx', 'callback', 'no-callback-retry-on-4xx'],
  ['consent-of-the-last', 'two-users-in-one-thread', 'token-bound-to-user'],
])
