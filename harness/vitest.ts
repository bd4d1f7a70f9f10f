/** Registers a profile with vitest: a `describe` per scenario, a `test` per check, findings in `task.meta`. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BaseConfiguration } from './engine/configuration.ts'
import type { Profile } from './engine/profile.ts'
import { Unreachable } from './engine/scenario.ts'
import { openSession, type Session } from './engine/session.ts'
import { isBinding, unproven, type Finding } from './engine/judging/verdict.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The finding of this check, for reporters. */
    finding?: Finding
  }
}

export interface RegistrationOptions {
  /** Folder against which relative paths of the configuration are resolved; default: the working directory. */
  readonly base?: string
  /** Where transcripts are kept; default: nowhere. */
  readonly directory?: string
  /** Milliseconds for the whole run. */
  readonly timeout?: number
}

/**
 * Registers every scenario and check of a profile in the calling test file. A test fails when its verdict is `fail`,
 * and when a binding requirement stays `inconclusive`: unproven is not conformant. It is skipped, with the reason,
 * when it is `not-applicable`, `not-offered` or when nothing binding is unproven; `warn` passes and stays in the meta.
 * What is offered nowhere leaves a binding requirement without proof: a test of its own says so.
 */
export function registerProfile<Fixtures, Declared, Configuration extends BaseConfiguration>(
  profile: Profile<Fixtures, Declared, Configuration>,
  configuration: Configuration,
  { base = process.cwd(), directory, timeout = 5 * 60_000 }: RegistrationOptions = {},
): void {
  describe.concurrent(profile.id, () => {
    let session: Session
    let opened: Session | undefined
    beforeAll(async () => {
      opened = await openSession(profile, { configuration, base, directory }).catch(notStarted)
      session = opened
    }, timeout)
    afterAll(async () => opened?.close(), timeout)

    for (const scenario of profile.scenarios) {
      describe.concurrent(`${scenario.id}: ${scenario.title}`, () => {
        let findings: Finding[] = []
        beforeAll(async () => {
          findings = await session.judge(scenario.id)
        }, timeout)
        for (const [index, { requirement, title }] of scenario.checks.entries()) {
          test(`${requirement}: ${title}`, ({ task, skip }) => {
            const finding = findings[index]
            expect(finding, 'the scenario was not judged').toBeDefined()
            if (!finding) return
            task.meta.finding = finding
            const { verdict, message } = finding
            const open = verdict === 'inconclusive' && !isBinding(finding, configuration.strict)
            if (open || verdict === 'not-applicable' || verdict === 'not-offered')
              skip(`${verdict}: ${message}`)
            if (verdict === 'fail' || verdict === 'inconclusive')
              expect.fail(`${verdict}: ${explain(finding)}`)
          })
        }
      })
    }

    test(
      'every binding requirement is proven where it is offered',
      async () => {
        const all = await Promise.all(profile.scenarios.map(({ id }) => session.judge(id)))
        const missing = unproven(all.flat(), configuration.strict)
        expect(missing.filter(({ verdict }) => verdict === 'not-offered')).toEqual([])
      },
      timeout,
    )
  })
}

/** Says why, in what the implementation printed itself; where in the harness that was noticed helps nobody. */
function notStarted(error: unknown): never {
  if (!(error instanceof Unreachable)) throw error
  const printed = error.printed.map((line) => `  ${line}`)
  error.message = [
    error.message,
    ...(printed.length > 0 ? ['It printed last:', ...printed] : []),
  ].join('\n')
  error.stack = `${error.name}: ${error.message}`
  throw error
}

function explain({ message, source, expected, actual }: Finding): string {
  return [
    message,
    `source: ${source}`,
    `expected: ${expected ?? '-'}`,
    `actual: ${actual ?? '-'}`,
  ].join('\n')
}
