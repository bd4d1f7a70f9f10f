import { anywhere, describeTool } from './describe-tool.ts'
import { java, javaOverMcp } from './tools.ts'

describeTool(java, [
  ['used-set-in-memory', 'callback-replayed-after-restart', 'state-single-use'],
  ['ack-after-refresh', 'refresh-held-back', 'acknowledge-immediately'],
  ['code-in-gzip-page', anywhere, 'no-secrets-in-output'],
])

describeTool(javaOverMcp, [])
