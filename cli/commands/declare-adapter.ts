/** `adapter check`: an adapter by itself. */

import type { Declare } from './declare.ts'

export const declareAdapter: Declare = (program, done) => {
  program
    .command('adapter')
    .summary('check whether an adapter speaks the protocol')
    .description('Looks at an adapter without starting what it adapts: docs/adapters.md.')
    .command('check')
    .description('Sends hello, an unknown command and shutdown; exit code 1 if an answer is wrong.')
    .argument('<command...>', 'what starts it, after --')
    .action(async (command: readonly string[]) => {
      const { adapterCheck } = await import('./adapter-check.ts')
      done(await adapterCheck(command))
    })
}
