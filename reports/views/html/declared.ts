/** What the vendor declared and what the run was set to; no secret stands in it. */

import type { RunRecord } from '../../record/run-record.ts'
import { indentedJson } from '../visible.ts'
import { markup, type Markup } from './markup.ts'

export function declared(record: RunRecord): Markup {
  const { configuration, settings, facts, environment, suite } = record
  const { catalogue } = suite
  const durations = Object.entries(settings).map(
    ([name, value]) =>
      [name.replace(/Ms$/, ''), name.endsWith('Ms') ? `${value} ms` : value] as const,
  )
  return markup`<section aria-labelledby="declared"><h2 id="declared">What was declared</h2>
<p>What is declared is mandatory, and what is not declared was not inspected. Secrets are left out.</p>
${table('Settings of the run', durations)}
${table('Found out or chosen by the run', facts)}
${table('Environment', { ...environment, catalogue: `${catalogue.requirements} requirements, ${catalogue.scenarios} scenarios, ${catalogue.checks} checks, ${catalogue.digest}` })}
<details><summary>Configuration, defaults resolved</summary><pre tabindex="0">${indentedJson(configuration).slice(0, 20_000)}</pre></details>
</section>
`
}

function table(
  caption: string,
  values: Readonly<Record<string, unknown>> | readonly (readonly [string, unknown])[],
): Markup | undefined {
  const rows = Array.isArray(values) ? values : Object.entries(values)
  if (rows.length === 0) return undefined
  return markup`<table class="facts"><caption>${caption}</caption><tbody>${rows.slice(0, 100).map(
    ([name, value]: readonly [string, unknown]) =>
      markup`<tr><th scope="row">${name}</th><td>${shown(value)}</td></tr>
`,
  )}</tbody></table>`
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : indentedJson(value)).slice(0, 2000)
}
