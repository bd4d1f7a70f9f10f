/** The page of a profile: what it certifies, how to begin, what is asked. */

import type { AnyProfile, Requirement } from '../../harness/engine/index.ts'

/** Where a profile's page stands. */
export function profilePage({ id }: AnyProfile): string {
  return `profiles/${id.replace('/', '-')}.md`
}

/** Its text; `guide` is the page that explains it step by step, `about` what README says of it. */
export function profileText(profile: AnyProfile, guide: string, about: string): string {
  const { id, title, specification, requirements, scenarios } = profile
  const { title: document, revision, published } = specification
  return `# ${title}

\`${id}\` certifies ${about}.

It stands on [${document}](${published}), ${revision}. It asks ${requirements.length} things in ${scenarios.length} situations.

## Quick start

\`\`\`sh
# see it work: the reference implementation of this package
aoc run --profile ${id}
# a configuration in which every setting is explained
aoc init --profile ${id}
# yours
aoc run --config conformance.config.ts
\`\`\`

[Step by step](/${guide}) · [every setting](/docs/configuration.md#${anchorOf(id)}) ·
[how the text is read](/docs/readings.md) · [when something goes wrong](/docs/troubleshooting.md)

## Requirements

${requirements.map((each) => rowOf(each)).join('\n')}
`
}

function rowOf({ id, keyword, text, excluded }: Requirement): string {
  const judged = excluded === undefined ? '' : ' (not judged)'
  return `- [\`${id}\`](/docs/requirements.md#${anchorOf(id)}): ${keyword}${judged}. ${text}`
}

/** As GitHub makes anchors of headings; the site is told to do the same. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
