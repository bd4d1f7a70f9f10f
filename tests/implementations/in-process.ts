/** The reference tool as a module that the harness runs inside its own process, without any port. */

import { createRapTool } from '../../suites/rap-oauth/tool/reference/rap-tool.ts'

export function create(values: Readonly<Record<string, string>>) {
  const value = (name: string): string => values[name] ?? ''
  const tool = createRapTool({
    publicUrl: value('tool.url'),
    issuer: value('provider.issuer'),
    clientId: value('provider.clientId'),
    clientSecret: value('provider.clientSecret'),
    resourceUrl: value('resource.url'),
    dataDir: value('data.dir'),
    pendingTimeoutMs: 8000,
    upstreamTimeoutMs: 4000,
  })
  return (request: Request) => tool.app.fetch(request)
}
