/** Certifies the bundled reference runtime, from its source, inside vitest: the profile's own way in for test runners. */

import { fileURLToPath } from 'node:url'
import { conformance as settings } from './reference/conformance.ts'
import { conformance } from '../../conformance.ts'

const main = fileURLToPath(new URL('./reference/main.ts', import.meta.url))

conformance('rap-oauth/runtime', {
  implementation: { name: 'reference runtime, from its source' },
  ...settings,
  target: {
    ...settings.target,
    command: [process.execPath, '--import', import.meta.resolve('jiti/register'), main],
    readyTimeout: '60s',
  },
})
