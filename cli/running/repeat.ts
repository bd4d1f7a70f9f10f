/** Repeats a run and compares: a check whose verdict differs between repetitions is flaky. */

import { join } from 'node:path'
import { newRunId, printable } from '../../harness/engine/index.ts'
import { writeAtomically, type RunRecord } from '../../reports/index.ts'
import { exitCodes, meaningOf } from '../outcome/exit-codes.ts'
import { findFlaky, type FlakyCheck } from './flaky.ts'
import { runOnce, type RunOnce } from './run-once.ts'
import { writeJson } from '../print/json.ts'
import type { Terminal } from '../print/terminal.ts'

export interface RepeatOptions {
  readonly times: number
  readonly json: boolean
}

/** What `repetitions.json` says of several runs. */
interface Repetitions {
  readonly repetitions: readonly {
    readonly folder: string
    readonly verdict: string
    readonly exit: RunRecord['exit']
  }[]
  readonly flaky: readonly FlakyCheck[]
  readonly exit: RunRecord['exit']
}

/** Runs so many times, one after the other, each into a folder of its own; returns the exit code. */
export async function repeat(
  plan: Omit<RunOnce, 'id' | 'repetition'>,
  { times, json }: RepeatOptions,
): Promise<number> {
  const records: RunRecord[] = []
  for (let number = 1; number <= times; number += 1) {
    plan.terminal.line(`repetition ${number} of ${times}`)
    const record = await runOnce({
      ...plan,
      id: newRunId(),
      repetition: { number, of: times },
      output: join(plan.output, folderOf(number)),
    })
    records.push(record)
    plan.terminal.line()
    if (record.interrupted) break
  }
  const result = compare(records)
  const text = `${JSON.stringify(result, undefined, 2)}\n`
  writeAtomically(join(plan.output, 'repetitions.json'), text)
  print(plan.terminal, result, times)
  if (json) writeJson(text)
  return result.exit.code
}

function folderOf(number: number): string {
  return `repetition-${number}`
}

function compare(records: readonly RunRecord[]): Repetitions {
  // Where a run was cut short, its findings say nothing about the implementation.
  const flaky = findFlaky(records.filter((record) => !record.interrupted).map((r) => r.findings))
  return {
    repetitions: records.map(({ verdict, exit }, index) => ({
      folder: folderOf(index + 1),
      verdict,
      exit,
    })),
    flaky,
    exit: worstExit(records, flaky),
  }
}

/** What weighs most among the repetitions; where they disagree, nothing is proven. */
function worstExit(records: readonly RunRecord[], flaky: readonly FlakyCheck[]) {
  const exits = records.map(({ exit }) => exit)
  const interrupted = exits.find(({ code }) => code > 128)
  const failed = exits.find(({ code }) => code === exitCodes.nonConformant)
  const worst = interrupted ?? failed ?? exits.find(({ code }) => code !== exitCodes.conformant)
  if (worst) return worst
  if (flaky.length > 0) {
    const what = flaky.length === 1 ? '1 check is' : `${flaky.length} checks are`
    return { code: exitCodes.inconclusive, reason: `${what} flaky` }
  }
  return { code: exitCodes.conformant, reason: `${records.length} repetitions agree` }
}

function print(terminal: Terminal, { repetitions, flaky, exit }: Repetitions, times: number): void {
  const done = repetitions.length === times ? `${times}` : `${repetitions.length} of ${times}`
  if (flaky.length === 0) terminal.line(`${done} repetitions, no verdict differed`)
  else
    terminal.line(
      `${done} repetitions, ${flaky.length === 1 ? '1 verdict' : `${flaky.length} verdicts`} differed:`,
    )
  for (const { requirement, scenario, title, verdicts } of flaky) {
    const seen = Object.entries(verdicts).map(([verdict, where]) => {
      return `${verdict} in ${where.join(', ')}`
    })
    terminal.line(`  ${requirement} (${scenario}: ${title})`)
    terminal.line(`    ${seen.join('; ')}`)
  }
  terminal.line(`exit     ${exit.code}: ${meaningOf(exit.code)} (${printable(exit.reason, 600)})`)
}
