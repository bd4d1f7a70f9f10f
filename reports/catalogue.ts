/** Says by a digest what a run asked of an implementation: requirements, scenarios and checks. */

import { createHash } from 'node:crypto'
import type { Requirement } from '../harness/index.ts'

/** The part of a profile that decides what is asked; every profile of the registry has this shape. */
export interface Catalogue {
  readonly id: string
  readonly requirements: readonly Requirement[]
  readonly scenarios: readonly {
    readonly id: string
    readonly title: string
    readonly control?: string
    readonly after?: 'all'
    readonly checks: readonly { readonly requirement: string; readonly title: string }[]
  }[]
}

/** SHA-256 over the canonical JSON of the catalogue, as `sha256:<hex>`. The code of the checks is not part of it. */
export function catalogueDigest({ id, requirements, scenarios }: Catalogue): string {
  const asked = {
    id,
    requirements,
    scenarios: scenarios.map(({ id, title, control, checks }) => ({
      id,
      title,
      control,
      checks: checks.map(({ requirement, title }) => ({ requirement, title })),
    })),
  }
  return sha256(canonicalJson(asked))
}

export function sha256(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** JSON without white space, keys sorted, absent values left out: equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
