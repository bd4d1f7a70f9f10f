/** Says by a digest what a run asked of an implementation: requirements, scenarios and checks. */

import { createHash } from 'node:crypto'
import type { Diagram, Requirement, Specification } from '../../harness/engine/index.ts'

/** The part of a profile that decides what is asked; every profile of the registry has this shape. */
export interface Catalogue {
  readonly id: string
  readonly specification: Specification
  readonly diagram: Diagram
  /** The scenario that must work before others are tried. */
  readonly gate: { readonly scenario: string }
  readonly requirements: readonly Requirement[]
  readonly scenarios: readonly {
    readonly id: string
    readonly title: string
    readonly control?: string
    readonly after?: 'all'
    readonly checks: readonly { readonly requirement: string; readonly title: string }[]
  }[]
}

/**
 * SHA-256 over the canonical JSON of the catalogue, as `sha256:<hex>`. The code of the checks is not part of it, nor is
 * advice: it asks nothing.
 */
export function catalogueDigest({ id, specification, requirements, scenarios }: Catalogue): string {
  const asked = {
    id,
    specification,
    requirements: requirements.map((row) => ({ ...row, mend: undefined })),
    scenarios: scenarios.map(({ id, title, control, checks }) => ({
      id,
      title,
      control,
      checks: checks.map(({ requirement, title }) => ({ requirement, title })),
    })),
  }
  return sha256(canonicalJson(asked))
}

/** The digest of a text (as UTF-8) or of bytes: `sha256:` and 64 hexadecimal digits. */
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
