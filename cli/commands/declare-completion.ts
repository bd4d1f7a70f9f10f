/** `completion`: a script for the shell. */

import { Argument } from 'commander'
import type { Declare } from './declare.ts'
import { completionScript, shells, type Shell } from './completion.ts'

const help = `
Examples:
  aoc completion bash >> ~/.bashrc
  aoc completion zsh >> ~/.zshrc
  aoc completion fish > ~/.config/fish/completions/aoc.fish`

export const declareCompletion: Declare = (program, done) => {
  program
    .command('completion')
    .summary('print what lets a shell complete commands and options')
    .description('Prints a script by which a shell completes commands, options and profiles.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', help)
    .action((shell: Shell) => {
      const commands = program.commands.map((command) => command.name())
      process.stdout.write(completionScript(shell, commands))
      done(0)
    })
}
