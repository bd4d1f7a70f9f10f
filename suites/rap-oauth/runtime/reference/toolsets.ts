/** Fetches the toolsets when a conversation first needs them, and keeps the valid ones for it until a restart. */

import type { Settings } from './config.ts'
import type { Exchange } from './exchange.ts'
import type { log } from './log.ts'
import { toolHeaders } from './tool-headers.ts'
import type { combineToolsets, OfferedTool, parseToolset, Toolset } from './toolset.ts'

const timeoutMs = 5_000

/** RAP, Toolsets: a toolset is described at its well-known place, and only there. */
export function fetchToolset(
  base: string,
  settings: Settings,
  exchange: Exchange,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = `${base}/.well-known/rap-toolset`
  return exchange.text({ method: 'GET', url, headers: toolHeaders(settings, base, url), timeoutMs })
}

interface ToolsetParts {
  readonly fetchToolset: typeof fetchToolset
  readonly parseToolset: typeof parseToolset
  readonly combineToolsets: typeof combineToolsets
  readonly log: typeof log
}

export function createToolsets(
  settings: Settings,
  exchange: Exchange,
  parts: ToolsetParts,
): (conversation: string) => Promise<readonly OfferedTool[]> {
  const sessions = new Map<string, Map<string, Promise<Toolset | undefined>>>()
  const told = new Set<string>()

  async function discover(base: string, known: Map<string, unknown>): Promise<Toolset | undefined> {
    const answer = await parts.fetchToolset(base, settings, exchange).catch(() => undefined)
    const toolset = answer?.status === 200 ? parts.parseToolset(base, answer.text) : undefined
    if (toolset === undefined) {
      // Asked again at the next need.
      known.delete(base)
      parts.log({ event: 'toolset-refused', outcome: answer ? 'invalid' : 'unreachable' })
    }
    return toolset
  }

  // RAP, Toolsets, Caching: a session is the root conversation thread, and every new one fetches anew.
  return async (conversation) => {
    const known = sessions.get(conversation) ?? new Map<string, Promise<Toolset | undefined>>()
    sessions.set(conversation, known)
    const fetched = settings.toolsets.map((base) => {
      const toolset = known.get(base) ?? discover(base, known)
      known.set(base, toolset)
      return toolset
    })
    const toolsets = (await Promise.all(fetched)).filter((each) => each !== undefined)
    const { tools, refused } = parts.combineToolsets(toolsets)
    for (const each of refused) {
      if (!told.has(each)) parts.log({ event: 'toolset-refused', outcome: 'duplicate-names' })
      told.add(each)
    }
    return tools
  }
}
