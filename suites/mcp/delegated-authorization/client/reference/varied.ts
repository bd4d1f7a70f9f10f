/** The client as a process, with the one defect that DEFECT names, or the one oddity that ODDITY names. */

import { defects } from './defects.ts'
import { oddities } from './oddities.ts'
import { defaultParts } from './parts.ts'
import { runProcess } from './run-process.ts'

const { DEFECT, ODDITY } = process.env
const [variable, id, table] =
  ODDITY === undefined ? ['DEFECT', DEFECT, defects] : ['ODDITY', ODDITY, oddities]
const row = table.find((each) => each.id === id)
if (row) {
  runProcess(row.parts?.(defaultParts))
} else {
  const known = table.map((each) => each.id).join(', ')
  process.stderr.write(`example-client: ${variable} must be one of ${known}\n`)
  process.exitCode = 2
}
