/** The runtime as a process, with the one defect that the environment variable DEFECT names. */

import { defects } from './defects.ts'
import { defaultParts } from './parts.ts'
import { runProcess } from './run-process.ts'

const id = process.env['DEFECT']
const defect = defects.find((each) => each.id === id)
if (defect) {
  runProcess(defect.parts(defaultParts))
} else {
  process.stderr.write(
    `rap-runtime: DEFECT must be one of ${defects.map((each) => each.id).join(', ')}\n`,
  )
  process.exitCode = 2
}
