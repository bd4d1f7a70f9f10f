/** The control API as a Hono app: routes made from the operations, their description, and a live page. */
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { parseJson } from '../http/json-body.ts'
import { errorReply, OAuthError } from '../http/oauth-error.ts'
import { problemsOf } from '../http/problems.ts'
import { readBody } from '../http/read-body.ts'
import { empty, json, toResponse } from '../http/reply.ts'
import type { Issuer } from '../provider/issuer.ts'
import type { ProviderState } from '../provider/state.ts'
import type { Tenants } from '../provider/tenants.ts'
import { streamLog } from './event-stream.ts'
import { requireController, type ControlOptions } from './guard.ts'
import { livePage, liveScript, liveStyle } from './live-page.ts'
import { maskAll } from './mask.ts'
import { openApiDocument } from './openapi.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { logQuery } from './schemas.ts'

/** What every path of the control API begins with. */
export const controlPrefix = '/_control'

/** Creates the app; its routes begin with the prefix. */
export function createControlApp(
  root: Issuer,
  tenants: Tenants | undefined,
  { token }: ControlOptions,
): Hono {
  const { issuer } = root.handle
  const app = new Hono()
  const stateOf = (context: Context): ProviderState => {
    const name = context.req.param('tenant')
    const found = name === undefined ? root : tenants?.get(name)
    if (!found) throw new OAuthError('not_found', 'no such tenant', { status: 404 })
    return found.state
  }
  // the page has no data of its own: it asks for the token and then for the log
  app.get(controlPrefix, (context) => context.redirect(`${controlPrefix}/`))
  app.get(`${controlPrefix}/`, () => toResponse(livePage()))
  app.get(`${controlPrefix}/live.js`, () => toResponse(liveScript()))
  app.get(`${controlPrefix}/live.css`, () => toResponse(liveStyle()))

  app.use(`${controlPrefix}/*`, async (context, next) => {
    requireController(context.req.raw, token, issuer)
    await next()
  })
  app.get(`${controlPrefix}/openapi.json`, () => {
    const place = { issuer, prefix: controlPrefix, tenants: tenants !== undefined }
    return toResponse(json(openApiDocument(operations, place)))
  })
  const places = tenants ? ['', '/tenants/:tenant'] : ['']
  for (const place of places) {
    app.get(`${controlPrefix}${place}/log/stream`, (context) => {
      const last = { after: context.req.header('last-event-id') ?? context.req.query('after') ?? 0 }
      const { after } = parse(logQuery, last)
      return streamLog(stateOf(context), after, context.req.raw.signal)
    })
    for (const each of operations) {
      if (place !== '' && each.rootOnly) continue
      const path = each.path.replace(/\{(\w+)\}/g, ':$1')
      app.on(each.method, `${controlPrefix}${place}${path}`, async (context) =>
        perform(each, { state: each.rootOnly ? root.state : stateOf(context), tenants }, context),
      )
    }
  }
  app.notFound(() => {
    throw new OAuthError(
      'not_found',
      'there is no such operation: GET /_control/openapi.json lists all',
      { status: 404 },
    )
  })
  app.onError((error) => toResponse(errorReply(refusalOf(error))))
  return app
}

async function perform(
  { id, act, body, query, status, method }: Operation,
  target: { readonly state: ProviderState; readonly tenants: Tenants | undefined },
  context: Context,
): Promise<Response> {
  const { state } = target
  await state.refresh()
  const parameters = context.req.param()
  const input = {
    parameters,
    query: query && parse(query, context.req.query()),
    body: body && (await readJson(body, context, state)),
  }
  if (method !== 'GET') {
    const exchange = state.log.nextExchange()
    const detail = maskAll({
      ...parameters,
      ...(query && { query: input.query }),
      ...(body && { body: input.body }),
    })
    state.log.append({ exchange, endpoint: 'control' }, { type: 'control', operation: id, detail })
  }
  const result = await act(target, input)
  if (status === 204) return toResponse(empty(204))
  // what an operation returns has the members that its schema names
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return toResponse(json(result as Readonly<Record<string, unknown>>, status))
}

async function readJson(schema: z.ZodType, context: Context, { settings }: ProviderState) {
  const { body, problem } = await readBody(context.req.raw, settings.bodyLimit)
  if (problem) throw problem
  return parseJson(schema, context.req.raw.headers, body)
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new OAuthError('invalid_request', problemsOf(result.error).join('; '))
  return result.data
}

/** What an operation refuses by throwing; anything else went wrong here. */
function refusalOf(error: Error): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof z.ZodError)
    return new OAuthError('invalid_request', problemsOf(error).join('; '))
  if (error instanceof TypeError || error instanceof RangeError) {
    return new OAuthError('invalid_request', error.message)
  }
  console.error(error)
  return new OAuthError('server_error', 'the provider failed', { status: 500 })
}
