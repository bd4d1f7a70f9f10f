/** Where the files of a profile are. */

import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'

const suites = new URL('../suites/', import.meta.url)

/** By id: its last part is the role, and what stands before it are the folders above, joined by hyphens. */
const folders = new Map<string, string>(
  readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/profile.ts'))
    .map((path) => {
      const parts = dirname(path).split('/')
      return [`${parts.slice(0, -1).join('-')}/${parts.at(-1)}`, dirname(path)] as const
    }),
)

/**
 * The folder of a profile below `suites/`: `mcp/url-elicitation/server` for `mcp-url-elicitation/server`.
 * @throws Error where there is none
 */
export function profileFolder(id: string): string {
  const folder = folders.get(id)
  if (folder === undefined) throw new Error(`no folder below suites/ holds the profile ${id}`)
  return folder
}
