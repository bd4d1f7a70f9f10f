/** Finds out which tool to call: what is configured, or what the server lists. */

import { Unreached } from '../../../harness/engine/index.ts'
import type { McpClient } from '../wire/client.ts'
import { membersOf } from '../wire/values.ts'
import type { ToolConfiguration } from './configuration.ts'
import type { Connections } from './connections.ts'

/** A tool, and what it is called with. */
export interface ToolToCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The tool to call, asked for on a connection of nobody's, which is closed; or why there is none. */
export async function findToolOf(
  configuration: { readonly tool: ToolConfiguration },
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
  { tool }: { readonly tool: ToolConfiguration },
  connect: () => Promise<McpClient>,
): Promise<ToolToCall> {
  if (tool.name !== undefined) return { name: tool.name, arguments: tool.arguments }
  const tools = await listTools(await connect())
  const callable = tools.filter(({ required }) => required.every((name) => name in tool.arguments))
  const found = tools.length === 1 ? tools[0] : callable[0]
  if (!found) {
    const why = tools.length === 0 ? 'lists no tool' : 'lists no tool that needs no argument'
    throw new Unreached(`the server ${why}; set tool.name`)
  }
  return { name: found.name, arguments: tool.arguments }
}

interface Listed {
  readonly name: string
  readonly required: readonly string[]
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
      if (typeof name === 'string') listed.push({ name, required: names })
    }
    if (typeof nextCursor !== 'string') break
    cursor = nextCursor
  }
  return listed
}
