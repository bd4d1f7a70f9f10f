/** Fetches the toolsets when they are first needed, and keeps the valid ones until a restart. */

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
): () => Promise<readonly OfferedTool[]> {
  const known = new Map<string, Promise<Toolset | undefined>>()
  const told = new Set<Toolset>()

  async function discover(base: string): Promise<Toolset | undefined> {
    const answer = await parts.fetchToolset(base, settings, exchange).catch(() => undefined)
    const toolset = answer?.status === 200 ? parts.parseToolset(base, answer.text) : undefined
    if (toolset === undefined) {
      // Asked again at the next need.
      known.delete(base)
      parts.log({ event: 'toolset-refused', outcome: answer ? 'invalid' : 'unreachable' })
    }
    return toolset
  }

  return async () => {
    const fetched = settings.toolsets.map((base) => {
      const toolset = known.get(base) ?? discover(base)
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
