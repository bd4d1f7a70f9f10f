/** Finds out which tool to call: what is configured, or what the server lists. */

import { Unreached } from '../../../harness/engine/index.ts'
import type { McpClient } from '../wire/client.ts'
import {
  headersOfArguments,
  parameterHeadersOf,
  type ParameterHeaders,
} from '../wire/parameter-headers.ts'
import { hasHandshake, modernRevision, type Revision } from '../wire/revisions.ts'
import { membersOf } from '../wire/values.ts'
import type { ToolConfiguration } from './configuration.ts'
import type { Connections } from './connections.ts'

/** A tool, and what it is called with. */
export interface ToolToCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Which arguments are repeated in headers (2026-07-28); none unless said otherwise. */
  readonly parameterHeaders?: ParameterHeaders
}

/** What decides which tool is called, and what has to be known of it. */
interface ToolSettings {
  readonly tool: ToolConfiguration & { readonly otherArguments?: object | undefined }
  readonly target?: { readonly revision: Revision }
  readonly declares?: object
}

/** The tool to call, asked for on a connection of nobody's, which is closed; or why there is none. */
export async function findToolOf(
  configuration: ToolSettings,
  connections: Connections,
): Promise<ToolToCall | { readonly problem: string }> {
  try {
    const somebody = { id: 'nobody', subject: 'subject-of-nobody' }
    return await findTool(configuration, () => connections.of(somebody).opened)
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return { problem: error.message }
  } finally {
    await connections.close()
  }
}

/** Pages of a list that are read. */
const mostPages = 20

/**
 * The configured tool, or the only one that the server lists, or the first one that needs no argument.
 * @throws Unreached when there is none
 */
export async function findTool(
  settings: ToolSettings,
  connect: () => Promise<McpClient>,
): Promise<ToolToCall> {
  const { tool } = settings
  if (tool.name !== undefined) {
    const parameterHeaders = await headersOf(tool.name, settings, connect)
    return { name: tool.name, arguments: tool.arguments, ...parameterHeaders }
  }
  const tools = await listTools(await connect())
  const callable = tools.filter(({ required }) => required.every((name) => name in tool.arguments))
  const found = tools.length === 1 ? tools[0] : callable[0]
  if (!found) {
    const why = tools.length === 0 ? 'lists no tool' : 'lists no tool that needs no argument'
    throw new Unreached(`the server ${why}; set tool.name`)
  }
  return {
    name: found.name,
    arguments: tool.arguments,
    ...(hasMirrors(settings) ? { parameterHeaders: found.parameterHeaders } : {}),
  }
}

/** Whether arguments are sent where headers repeat them. */
function hasMirrors({ tool, target, declares }: ToolSettings): boolean {
  const given = { ...tool.arguments, ...tool.otherArguments }
  const isModern = target?.revision === modernRevision || membersOf(declares)['modern'] === true
  return isModern && Object.keys(given).length > 0
}

/** The headers that a call of a tool has for the sake of its arguments. */
export function mirroredArguments(
  { parameterHeaders = [] }: ToolToCall,
  revision: string,
  given: unknown,
): Readonly<Record<string, string>> {
  return hasHandshake(revision) ? {} : headersOfArguments(parameterHeaders, given)
}

/** Of a tool that is configured by its name; a server that lists none marks nothing. */
async function headersOf(
  name: string,
  settings: ToolSettings,
  connect: () => Promise<McpClient>,
): Promise<Pick<ToolToCall, 'parameterHeaders'>> {
  if (!hasMirrors(settings)) return {}
  try {
    const listed = (await listTools(await connect())).find((each) => each.name === name)
    return listed ? { parameterHeaders: listed.parameterHeaders } : {}
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return {}
  }
}

interface Listed {
  readonly name: string
  readonly required: readonly string[]
  readonly parameterHeaders: ParameterHeaders
}

async function listTools(client: McpClient): Promise<Listed[]> {
  const listed: Listed[] = []
  let cursor: unknown
  for (let page = 0; page < mostPages; page += 1) {
    const reply = await client.request('tools/list', cursor === undefined ? {} : { cursor })
    if (reply.kind !== 'result') {
      const why = reply.kind === 'none' ? reply.reason : JSON.stringify(reply.message)
      throw new Unreached(`tools/list was not answered with a list: ${why}`)
    }
    const { tools, nextCursor } = membersOf(reply.result)
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, inputSchema } = membersOf(tool)
      const { required } = membersOf(inputSchema)
      const names = Array.isArray(required) ? required.map(String) : []
      const parameterHeaders = parameterHeadersOf(inputSchema)
      if (typeof name === 'string') listed.push({ name, required: names, parameterHeaders })
    }
    if (typeof nextCursor !== 'string') break
    cursor = nextCursor
  }
  return listed
}
