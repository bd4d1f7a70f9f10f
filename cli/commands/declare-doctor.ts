/** `doctor`: what this machine offers. */

import type { Declare } from './declare.ts'
import type { DoctorOptions } from './doctor.ts'

export const declareDoctor: Declare = (program, done) => {
  program
    .command('doctor')
    .summary('show what this machine offers')
    .description(
      'Shows what this machine offers beyond Node, what each is for, and the command that installs it.',
    )
    .option('--json', 'as JSON')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts')
      done(await doctor(options))
    })
}
