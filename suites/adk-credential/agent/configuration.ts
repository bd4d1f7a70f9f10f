/** What the vendor of an ADK agent application configures and declares. What is declared becomes mandatory. */

import { z } from 'zod'
import { commonSchema, logFiles, modelListens } from '../../../harness/parties/configuration.ts'
import {
  canBeMoved,
  clock,
  onlyMoved,
  targetSchema,
} from '../../../harness/parties/target-settings.ts'
import {
  clientDeclared,
  otherArguments,
  refreshLeeway,
  refreshTokens,
  tokenStore,
  toolScopes,
  type ClientDeclared,
} from '../../oauth-client/declarations.ts'
import type { Dialect } from '../wire.ts'

const tool = z.strictObject({
  name: z
    .string()
    .min(1)
    .meta({ flag: '--tool <name>', help: 'the tool that needs authorization' }),
  arguments: z.record(z.string(), z.unknown()).default({}),
})

/** Where the redirect of the provider lands unless told otherwise: nobody has to listen there. */
const landing = 'http://127.0.0.1:9555/callback'

export const agentConfiguration = commonSchema
  .extend({
    profile: z.literal('adk-credential/agent'),
    target: targetSchema
      .safeExtend({ clock })
      .refine(({ module }) => module === undefined, {
        message: 'an agent is a command or a url here, not a module',
        path: ['module'],
      })
      .refine(canBeMoved, onlyMoved),
    api: z
      .strictObject({
        app: z
          .string()
          .min(1)
          .optional()
          .describe('The name of the agent application; default: the first of GET /list-apps.')
          .meta({ flag: '--app <name>', help: 'the name of the agent application' }),
        prefix: z
          .string()
          .default('')
          .describe('Path before the routes of the API, for example /api.')
          .meta({ example: '/api' }),
        streaming: z
          .boolean()
          .default(false)
          .describe('Whether the agent is driven by /run_sse with streaming, instead of /run.')
          .meta({
            flag: '--streaming <yes|no>',
            reads: 'yes or no',
            help: 'drive it by /run_sse instead of /run, yes or no',
          }),
        resume: z
          .boolean()
          .default(false)
          .describe(
            'Whether the agent runs with ADK’s Resume feature: each answer over the REST API then names the invocation that asked (invocationId).',
          ),
        redirectUri: z
          .url()
          .default(landing)
          .describe('The redirect URI of the client application, which the suite plays.'),
        adapter: z
          .literal(true)
          .optional()
          .describe(
            'Whether target.command is an adapter, through which the whole agent is reached. How it asks for credentials is another matter: see consent.',
          ),
        consent: z
          .union([
            z.strictObject({ begin: z.string().min(1), complete: z.string().min(1) }),
            z.strictObject({ adapter: z.literal(true) }),
          ])
          .optional()
          .describe(
            'Only where credentials are asked for by a functionResponse (adk-rs): routes, absolute or relative to target.url (api.prefix is not put before them). POST begin {userId, authConfig} gives {authUri, flowId}; POST complete {userId, flowId, state, code, iss} gives {credential}, iss only where the provider sends it. Or {"adapter": true}: the adapter does both, and is how the whole agent is reached.',
          )
          .meta({ example: { begin: '/consent/begin', complete: '/consent/complete' } }),
      })
      .prefault({}),
    operation: tool
      .extend({ scopes: toolScopes, otherArguments })
      .describe('A tool that needs authorization and calls the protected API.'),
    others: z
      .strictObject({
        otherCredential: tool
          .extend({ name: z.string().min(1) })
          .optional()
          .describe('A second tool, with an AuthConfig and a credential key of its own.')
          .meta({ example: { name: 'add_item', arguments: { title: 'Tea' } } }),
        sameCredential: tool
          .extend({ name: z.string().min(1) })
          .optional()
          .describe('A second tool, with the AuthConfig and the credential key of the operation.')
          .meta({ example: { name: 'count_items' } }),
        open: tool
          .extend({ name: z.string().min(1) })
          .optional()
          .describe('A tool that needs no authorization.')
          .meta({ example: { name: 'tell_time' } }),
      })
      .prefault({}),
    listen: modelListens,
    declares: z
      .strictObject({
        credentials: z
          .enum(['user', 'session'])
          .default('user')
          .describe(
            'Whether a credential serves all sessions of its user, or the one in which it was given.',
          ),
        durable: z
          .boolean()
          .default(false)
          .describe('Whether sessions and credentials survive a restart.'),
        refreshTokens,
        refreshLeeway,
        tokenStore,
        logs: logFiles,
      })
      .prefault({}),
  })
  .superRefine(({ api, target }, context) => {
    if (!isAdapted(api)) return
    const refuse = (name: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['target', name], message })
    if (target.command === undefined)
      refuse('command', 'api.adapter and api.consent.adapter need target.command, the adapter')
    if (api.consent && !('adapter' in api.consent)) {
      const message = 'behind an adapter there are no routes: {"adapter": true}, or nothing'
      context.addIssue({ code: 'custom', path: ['api', 'consent'], message })
    }
    if (target.clock === 'jump')
      refuse('clock', 'jump is for agents that serve the REST API, not behind an adapter')
  })

/** Whether the agent is reached through an adapter. */
export function isAdapted({
  adapter,
  consent,
}: {
  readonly adapter?: true | undefined
  readonly consent?: object | undefined
}): boolean {
  return adapter === true || (consent !== undefined && 'adapter' in consent)
}

export type AgentConfiguration = z.infer<typeof agentConfiguration>
export type Tool = z.infer<typeof tool>

/** The declarations as checks see them. */
export interface Declared extends ClientDeclared {
  readonly tool: string
  /** How credentials are asked for: without a consent leg of its own, by calls. */
  readonly dialect: Dialect
  readonly otherCredential: string | undefined
  readonly sameCredential: string | undefined
  readonly open: string | undefined
  /** Whether other arguments of the tool are known. */
  readonly otherArguments: boolean
  readonly credentials: 'user' | 'session'
  readonly durable: boolean
}

export function declaredBy(configuration: AgentConfiguration): Declared {
  const { api, operation, others, declares } = configuration
  return {
    ...clientDeclared(configuration, operation.scopes),
    tool: operation.name,
    dialect: api.consent === undefined ? 'call' : 'response',
    otherCredential: others.otherCredential?.name,
    sameCredential: others.sameCredential?.name,
    open: others.open?.name,
    otherArguments: operation.otherArguments !== undefined,
    credentials: declares.credentials,
    durable: declares.durable,
  }
}
