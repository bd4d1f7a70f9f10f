/** The consent leg of the dialect of responses: the client application has the URL and the credential made here. */

import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { beginFlow } from './invocation.ts'
import { CallFailure } from './failure.ts'
import type { Flow } from './oauth.ts'
import { tools, type Fields } from './tools.ts'
import type { Work } from './work.ts'

const beginSchema = z.object({
  userId: z.string().min(1),
  authConfig: z.object({ credential_key: z.string() }),
})
const completeSchema = z.object({
  userId: z.string().min(1),
  flowId: z.string().min(1),
  state: z.string().optional(),
  code: z.string().min(1),
  iss: z.string().optional(),
})

interface Begun {
  readonly user: string
  readonly flow: Flow
}

/** `POST /begin` gives `{authUri, flowId}`, `POST /complete` `{credential}`. A flow works once. */
export function consentRoutes(work: Work): Hono {
  const { parts, config, fetch, records, queue } = work
  const app = new Hono()
  app.post('/begin', async (c) => {
    const read = beginSchema.safeParse(await c.req.json().catch(() => undefined))
    const tool = tools.find(
      ({ credential }) => credential?.key === read.data?.authConfig.credential_key,
    )
    if (!read.success || !tool) return c.json({ error: 'invalid_request' }, 400)
    const { flow, authUri } = await beginFlow(work, tool)
    const flowId = randomUUID()
    const begun: Begun = { user: read.data.userId, flow }
    records.save(`flow ${flowId}`, begun)
    return c.json({ authUri, flowId })
  })
  app.post('/complete', async (c) => {
    const read = completeSchema.safeParse(await c.req.json().catch(() => undefined))
    if (!read.success) return c.json({ error: 'invalid_request' }, 400)
    const { flowId, userId, ...callback } = read.data
    return queue(`flow ${flowId}`, async () => {
      const begun = records.load(`flow ${flowId}`) as Begun | undefined
      if (!begun || !parts.completesFor(begun.user, userId))
        return c.json({ error: 'invalid_request' }, 400)
      const given = Object.entries(callback).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(given as [string, string][])
      const answer = { id: flowId, name: '', response: {} }
      const believed = parts.readCallback(config.oauth, begun.flow, query, answer)
      if (believed === undefined || 'error' in believed) return c.json({ error: 'refused' }, 400)
      records.remove(`flow ${flowId}`)
      const grant = {
        parameters: believed.parameters,
        redirectUri: begun.flow.redirectUri ?? '',
        verifier: begun.flow.verifier,
      }
      try {
        const issued = await parts.exchangeCode(config.oauth, fetch, grant)
        const oauth2: Fields = {
          client_id: config.oauth.clientId,
          access_token: issued.accessToken,
          refresh_token: issued.refreshToken,
          expires_at: issued.expiresAt === null ? null : Math.floor(issued.expiresAt / 1000),
        }
        return c.json({ credential: { auth_type: 'o_auth2', oauth2 } })
      } catch (error) {
        if (error instanceof CallFailure) return c.json({ error: error.code }, 502)
        throw error
      }
    })
  })
  return app
}
