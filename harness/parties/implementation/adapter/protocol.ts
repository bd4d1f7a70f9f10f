/** The adapter protocol: JSON Lines on standard input and output; see docs/adapters.md. */

import { z } from 'zod'

/**
 * The newest version of the protocol. Version 2 adds what frameworks need that pause and are resumed, version 3 what agents
 * need that ask for credentials in their events.
 */
export const adapterProtocol = 3
/** A version that there was; what an adapter is asked for says which of them it must speak at least. */
export type AdapterVersion = 1 | 2 | 3

const id = z.number().int().describe('Number of the command, unique within the run.')
const conversation = z.string().describe('Id of a conversation, as the harness gave it.')
const user = z
  .string()
  .describe('Id of the user of the conversation; empty: the framework is told of none.')
const handle = z.string().describe('The handle that resumes a pause, as the framework gave it.')

/** What the harness sends, one JSON object per line. */
export const adapterCommand = z.discriminatedUnion('command', [
  z.object({
    id,
    command: z.literal('hello'),
    protocol: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .describe('What it must speak at least.'),
  }),
  z.object({
    id,
    command: z.literal('configure'),
    settings: z
      .record(z.string(), z.string())
      .describe(
        'What the implementation is to be told: of a runtime port, runtime.url, toolset.url, toolset2.url, model.url, model.key, data.dir ..., of a client the names and places of its servers.',
      ),
  }),
  z.object({ id, command: z.literal('start') }),
  z.object({ id, command: z.literal('message'), conversation, user, text: z.string() }),
  z.object({ id, command: z.literal('cancel'), conversation, user }),
  z.object({
    id,
    command: z.literal('call').describe('Of a client: calls a tool.'),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.object({
    id,
    command: z.literal('answer').describe('Of a client: its user answers a prompt.'),
    prompt: z.string().describe('The id in the event prompt.'),
    action: z.enum(['accept', 'decline', 'cancel']),
  }),
  z.object({
    id,
    command: z
      .literal('retry')
      .describe('Of a client that waits for it: its user says that they have finished.'),
  }),
  z.object({
    id,
    command: z.literal('visit').describe('Of a client with a browser: its user is sent back.'),
    url: z.string().describe('The callback, as the provider redirects to it.'),
  }),
  z.object({
    id,
    command: z
      .literal('resume')
      .describe('Resumes a paused run, for the given user and with the given content.'),
    conversation,
    user,
    handle,
    input: z.string().describe('What the framework is given as the user’s word.'),
  }),
  z.object({
    id,
    command: z
      .literal('callback')
      .describe('Only where it cannot listen: the redirect that the browser followed.'),
    url: z.string(),
  }),
  z.object({
    id,
    command: z
      .literal('respond')
      .describe('Of an agent: its client application answers a credential request.'),
    conversation,
    user,
    response: z
      .object({ id: z.string(), name: z.string(), response: z.unknown() })
      .describe('The functionResponse, as it is.'),
  }),
  z.object({
    id,
    command: z
      .literal('begin_consent')
      .describe('Of an agent: has the authorization URL made for a credential request.'),
    user,
    config: z.record(z.string(), z.unknown()).describe('The AuthConfig, as the request had it.'),
  }),
  z.object({
    id,
    command: z
      .literal('complete_consent')
      .describe('Of an agent: has the credential made of what the browser brought.'),
    user,
    flowId: z.string(),
    state: z.string().optional(),
    code: z.string(),
    iss: z.string().optional(),
  }),
  z.object({ id, command: z.literal('dump') }),
  z.object({ id, command: z.literal('advance_clock'), ms: z.number().int().positive() }),
  z.object({ id, command: z.literal('restart') }),
  z.object({ id, command: z.literal('shutdown') }),
])
/** A command to an adapter, with its number. */
export type AdapterCommand = z.infer<typeof adapterCommand>

/** A member that an adapter may leave out, or write as null, as many languages do. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional()

const aboutConversation = optional(conversation)

/** What the adapter sends, one JSON object per line. Fields that are not named here are ignored. */
export const adapterEvent = z.discriminatedUnion('event', [
  z.looseObject({
    event: z.literal('settled').describe('A command was carried out.'),
    id,
    protocol: optional(z.number().int()).describe('In the answer to hello.'),
    name: optional(z.string()),
    version: optional(z.string()),
    capabilities: optional(z.array(z.string())).describe(
      'In the answer to hello: the commands beyond start, message and resume it has.',
    ),
    entries: optional(
      z.array(
        z.looseObject({
          path: z.string(),
          text: z.string(),
          kind: optional(z.string()).describe(
            'pause: the record of a pause; session: that of the conversation in path.',
          ),
        }),
      ),
    ).describe('In the answer to dump: everything that the runtime stores.'),
    authUri: optional(z.string()).describe('In the answer to begin_consent.'),
    flowId: optional(z.string()).describe('In the answer to begin_consent: names the flow.'),
    credential: optional(z.record(z.string(), z.unknown())).describe(
      'In the answer to complete_consent: the AuthCredential, as the library has it.',
    ),
  }),
  z.looseObject({
    event: z.literal('failed').describe('A command was tried and did not work.'),
    id,
    message: z.string(),
  }),
  z.looseObject({ event: z.literal('unsupported').describe('A command is not known.'), id }),
  z.looseObject({
    event: z.literal('surfaced').describe('The user was shown this text.'),
    conversation: aboutConversation,
    text: z.string(),
  }),
  z.looseObject({
    event: z.literal('pending').describe('A call waits for its user.'),
    conversation: aboutConversation,
  }),
  z.looseObject({
    event: z.literal('model_request').describe('The runtime asked its model.'),
    conversation: aboutConversation,
    messages: z.unknown(),
  }),
  z.looseObject({
    event: z.literal('prompt').describe('A client asks its user whether to open a URL.'),
    id: z.string().describe('Names the prompt in the command answer.'),
    text: z.string().describe('Everything that the user reads.'),
    url: optional(z.string()).describe('The URL that the user reads, where it stands apart.'),
  }),
  z.looseObject({
    event: z.literal('opened').describe('A client opened a URL by no browser command.'),
    url: z.string(),
  }),
  z.looseObject({
    event: z.literal('paused').describe('The run has paused, and can be resumed by the handle.'),
    conversation: z.string(),
    user: optional(z.string()),
    handle,
    reason: optional(z.string()),
    payload: z.record(z.string(), z.unknown()).describe('As the framework gave it.'),
  }),
  z.looseObject({
    event: z.literal('callback').describe('A callback was handed on, and what came of it.'),
    outcome: z.enum(['stored', 'refused']),
    state: optional(z.string()).describe('As the callback had it: tells whose flow it was.'),
    user: optional(z.string()).describe('Whose token it brought, as the framework says.'),
    kind: optional(z.string()).describe('The class of the error.'),
    message: optional(z.string()),
  }),
  z.looseObject({
    event: z.literal('tool_run').describe('The body of the tool runs.'),
    conversation: z.string(),
    user: optional(z.string()),
    tool: z.string(),
    token_sha256: optional(z.string()).describe('Of the token that it was given, in hex.'),
  }),
  z.looseObject({
    event: z.literal('agent_event').describe('An event of an agent, nothing added or left out.'),
    conversation: z.string(),
    payload: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    event: z.literal('finished').describe('The run has ended by itself.'),
    conversation: z.string(),
    text: z.string(),
  }),
  z.looseObject({
    event: z.literal('run_failed').describe('The run, or resuming it, has ended in an error.'),
    conversation: z.string(),
    kind: z.string().describe('The class of the error.'),
    message: z.string(),
  }),
  z.looseObject({ event: z.literal('log').describe('Anything else.'), text: z.string() }),
])
/** Anything that an adapter may print. */
export type AdapterEvent = z.infer<typeof adapterEvent>
/** What ends a command. */
export type AdapterAnswer = Extract<AdapterEvent, { event: 'settled' | 'failed' | 'unsupported' }>
/** What an adapter says on its own. */
export type AdapterNotice = Exclude<AdapterEvent, AdapterAnswer>

/** The JSON Schema of both directions, as it is published in docs/adapter.schema.json. */
export function adapterSchema(): Record<string, unknown> {
  const options = { target: 'draft-2020-12', io: 'input' } as const
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Adapter protocol, version ${adapterProtocol}`,
    $defs: {
      command: withoutDialect(z.toJSONSchema(adapterCommand, options)),
      event: withoutDialect(z.toJSONSchema(adapterEvent, options)),
    },
    anyOf: [{ $ref: '#/$defs/command' }, { $ref: '#/$defs/event' }],
  }
}

function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'))
}
