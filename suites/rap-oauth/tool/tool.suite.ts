/** Certifies the bundled reference tool inside vitest: the profile's own way in for test runners. */

import { conformance } from '../../conformance.ts'

conformance('rap-oauth/tool', {
  implementation: { name: 'reference tool, in process' },
  target: { module: './tests/implementations/in-process.ts' },
  operation: { name: 'list_items', scopes: ['items:read'] },
  declares: { pendingTimeout: '8s' },
})
