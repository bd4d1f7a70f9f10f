/** The checks that each defect turned, as `UPDATE=1 npm run test:defects` recorded them: the exact side of the proof. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { profileFolder } from '../profile-folder.ts'
import type { Role } from './role.ts'

/** By the id of a defect, the checks that fail or warn, as `namesOf` names them. */
export type Killed = Readonly<Record<string, readonly string[]>>

export function killedOf(role: Role): Killed {
  const file = fileOf(role)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Killed) : {}
}

/** Records what was measured; a defect that was not run keeps what was recorded of it. */
export async function recordKilled(role: Role, measured: Killed): Promise<void> {
  const file = fileOf(role)
  const all = { ...killedOf(role), ...measured }
  const rows = role.defects.flatMap(({ id }) => (all[id] ? [[id, all[id]] as const] : []))
  const text = JSON.stringify(Object.fromEntries(rows))
  writeFileSync(
    file,
    await format(text, { ...(await resolveConfig(file)), parser: 'json', objectWrap: 'collapse' }),
  )
}

function fileOf({ profile }: Role): string {
  const folder = `../../suites/${profileFolder(profile.id)}/proof/`
  return fileURLToPath(new URL(`${folder}killed.json`, import.meta.url))
}
