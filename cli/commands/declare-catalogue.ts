/** `list`, `explain` and `init`: what there is, and how to begin. */

import { Argument } from 'commander'
import type { ExplainOptions } from './explain.ts'
import type { InitOptions } from './init.ts'
import type { ListName, ListOptions } from './list.ts'
import type { Declare } from './declare.ts'

const lists: readonly ListName[] = ['profiles', 'scenarios', 'requirements']

export const declareCatalogue: Declare = (program, done) => {
  program
    .command('list')
    .summary('show profiles, scenarios or requirements')
    .description('Shows what this suite knows.')
    .addArgument(new Argument('<what>', 'what to list').choices(lists))
    .option('--profile <id>', 'only of this profile')
    .option('--json', 'as JSON')
    .action(async (what: ListName, options: ListOptions) => {
      const { list } = await import('./list.ts')
      done(list(what, options))
    })
  program
    .command('explain')
    .summary('show everything about one requirement')
    .description('Shows what a requirement says, where it stands, and how it is judged.')
    .argument('<requirement>', 'its id, or the last part of it')
    .option('--profile <id>', 'as this profile judges it; several share some')
    .option('--json', 'as JSON')
    .action(async (id: string, options: ExplainOptions) => {
      const { explain } = await import('./explain.ts')
      done(explain(id, options))
    })
  program
    .command('init')
    .summary('write a configuration to start from')
    .description('Writes a configuration in which every setting is explained; never overwrites.')
    .argument('[file]', 'where to', 'conformance.config.ts')
    .option('--profile <id>', 'what is to be certified')
    .action(async (file: string, options: InitOptions) => {
      const { init } = await import('./init.ts')
      done(await init(file, options))
    })
}
