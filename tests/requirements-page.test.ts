/** `docs/requirements.md` is the catalogue as it is in the code. To write it anew: npx vitest run tests/requirements-page.test.ts -u */

import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import type { Requirement, Scenario } from '../harness/engine/index.ts'
import type { Role } from './proof/role.ts'
import { roles } from './proof/roles.ts'

const head = `# Requirements

Written from the code; a test compares. A broken MUST fails, a broken SHOULD warns; what is best practice (OAuth's own
documents) warns unless \`--strict\`. "Proven by" names the defects of the reference implementation that turn the check.
`

function judgedIn({ id }: Requirement, scenarios: readonly Scenario<unknown>[]): string[] {
  return scenarios
    .filter(({ checks }) => checks.some(({ requirement }) => requirement === id))
    .map((scenario) => scenario.id)
}

function code(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ')
}

function entry(requirement: Requirement, { profile, expected }: Role): string {
  const { id, keyword, basis, source, text, observed, excluded, appliesTo } = requirement
  const defects = Object.entries(expected).filter(([, { turns }]) => turns.includes(id))
  const lines = [
    `- ${keyword}, ${basis.replace('-', ' ')}: ${source}`,
    ...(appliesTo === undefined ? [] : [`- Applies to ${appliesTo} only`]),
    ...(observed === undefined ? [] : [`- Observed: ${observed}`]),
    ...(excluded === undefined
      ? [`- Judged in ${code(judgedIn(requirement, profile.scenarios))}`]
      : [`- Not judged: ${excluded}`]),
    ...(defects.length === 0 ? [] : [`- Proven by ${code(defects.map(([defect]) => defect))}`]),
  ]
  return `### \`${id}\`\n\n${text}\n\n${lines.join('\n')}\n`
}

test('docs/requirements.md is up to date', async () => {
  const sections = roles.map((role) => {
    const { id, title, requirements } = role.profile
    const rows = requirements.map((each) => entry(each, role))
    return [`## ${id}\n\n${title}\n`, ...rows].join('\n')
  })
  const file = new URL('../docs/requirements.md', import.meta.url)
  const options = await resolveConfig(file)
  const page = await format([head, ...sections].join('\n'), { ...options, parser: 'markdown' })
  await expect(page).toMatchFileSnapshot('../docs/requirements.md')
})
