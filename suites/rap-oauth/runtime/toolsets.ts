/** The two toolsets that the harness offers to a runtime under test. */

import type { ToolDescription, ToolsetOptions } from './toolset-server.ts'
import { toolNames } from './vocabulary.ts'

/** The reference in the arguments tells for an invocation whose it is. */
const inputSchema = {
  type: 'object',
  properties: {
    reference: { type: 'string', description: 'The reference that the user gave.' },
    filter: {
      type: 'object',
      description: 'What is listed; everything by default.',
      properties: {
        labels: { type: 'array', items: { type: 'string' } },
        exact: { type: 'boolean' },
        limit: { type: 'integer' },
        ratio: { type: 'number' },
        since: { type: ['string', 'null'] },
      },
      required: ['since'],
    },
    words: { type: 'string', description: 'What is looked for; nothing by default.' },
    tags: { type: 'array', items: { type: 'string' } },
    page: { type: ['integer', 'null'] },
  },
  required: ['reference'],
}

/** How a tool is described, until a scenario describes it otherwise. */
export function describe(what: string): string {
  return `Lists the ${what} of the user.`
}

function tool(name: string, what: string): ToolDescription {
  return {
    name,
    description: describe(what),
    inputSchema,
    annotations: { requiresAuth: 'workspace' },
  }
}

/** The second one has a base URL with a path, as RAP allows, and an endpoint that cannot be guessed. */
export const toolsets: readonly Pick<ToolsetOptions, 'name' | 'base' | 'path' | 'tools'>[] = [
  { name: 'workspace-items', base: '', path: '/invoke', tools: [tool(toolNames[0], 'items')] },
  {
    name: 'workspace-notes',
    base: '/notes',
    path: '/notes/invocations',
    tools: [tool(toolNames[1], 'notes')],
  },
]
