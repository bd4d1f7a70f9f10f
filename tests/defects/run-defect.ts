/** One whole run of a profile against its reference implementation with a defect, as a process of its own. */

import { fileURLToPath } from 'node:url'
import { openSession, parseConfiguration, type Finding } from '../../harness/index.ts'
import { targetOf, type Role } from './roles.ts'

/** Runs every scenario; without a defect, against the clean implementation. */
export async function runDefect(role: Role, defect?: string): Promise<readonly Finding[]> {
  const { profile } = role
  const overlay = defect === undefined ? {} : role.expected[defect]?.configuration
  const configuration = parseConfiguration(profile.configuration, {
    profile: profile.id,
    ...role.configuration,
    ...overlay,
    target: targetOf(role, defect),
  })
  const base = fileURLToPath(new URL('.', import.meta.url))
  const session = await openSession(profile, { configuration, base })
  try {
    const findings = await Promise.all(profile.scenarios.map(({ id }) => session.judge(id)))
    if (session.failures.length > 0) {
      throw new Error(`the harness failed: ${JSON.stringify(session.failures)}`)
    }
    return findings.flat()
  } finally {
    await session.close()
  }
}
