/** Says at the end of a test run why tests were skipped: a reporter beside the usual one. */

import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Reasons that are told. */
const most = 20

/** Prints each reason once, with how many tests it concerns. */
export default class SkipReasons implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => reasonsIn(module))
    const counts = new Map<string, number>()
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
    const told = [...counts].toSorted(([, one], [, other]) => other - one)
    for (const [line, count] of told.slice(0, most))
      process.stdout.write(`skipped ${count}: ${line}\n`)
    if (told.length > most) process.stdout.write(`and ${told.length - most} other reasons\n`)
  }
}

/** A reason for each skipped test; whole groups have a test of their own that says theirs. */
function reasonsIn(module: TestModule): readonly string[] {
  const notes = [...module.children.allTests('skipped')].map(noteOf)
  const [first] = notes.filter((note) => note !== undefined)
  return notes.map((note) => note ?? first ?? `${module.relativeModuleId} does not say why`)
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result()
  return 'note' in result ? result.note : undefined
}
