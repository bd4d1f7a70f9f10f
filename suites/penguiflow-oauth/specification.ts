/** PenguiFlow's page about tools that act for a user, and about the pause that they need. */

import type { Specification } from '../../harness/engine/index.ts'

const page =
  'https://github.com/hurtener/penguiflow/blob/54b94de81c61eb860be04f9f43be4cb24a73b912/docs/tools/oauth-hitl.md'

export const specification: Specification = {
  title: 'PenguiFlow OAuth & HITL (ToolNode)',
  revision: 'docs/tools/oauth-hitl.md at commit 54b94de',
  published: page,
  pages: {
    'PenguiFlow OAuth & HITL': {
      url: page,
      headings: [
        'What it is / when to use it',
        'Non-goals / boundaries',
        'tool_context requirements',
        'OAuth manager',
        'Pause payload shape',
        'Operational defaults',
        'Failure modes & recovery',
        'Observability',
        'Security / multi-tenancy notes',
        'Troubleshooting checklist',
      ],
    },
  },
}
