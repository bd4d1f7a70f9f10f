/** What `npm run test:defects` was asked for, as its script hands it to the tests. */

export interface ProofOptions {
  /** Whether every variation is driven through every scenario. */
  readonly full: boolean
  /** The part of the variations that is proven: `index` counts from 1 to `of`. */
  readonly shard: { readonly index: number; readonly of: number }
  /** Chooses the scenarios that are driven beside those that matter. */
  readonly seed: string
  /** Whether what turns is recorded rather than compared. */
  readonly update: boolean
}

/** The names of the variables that carry the options. */
export const variables = { full: 'PROOF_FULL', shard: 'PROOF_SHARD', seed: 'PROOF_SEED' } as const

/** @throws RangeError for a shard that there cannot be */
export function readOptions(env: Readonly<NodeJS.ProcessEnv>): ProofOptions {
  const update = env['UPDATE'] === '1'
  return {
    // What turns is known only where everything was driven.
    full: update || env[variables.full] === '1',
    shard: parseShard(env[variables.shard] ?? '1/1'),
    seed: env[variables.seed] ?? '',
    update,
  }
}

export function parseShard(text: string): ProofOptions['shard'] {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index < 1 || index > of) throw new RangeError(`expected I/N with I from 1 to N, not ${text}`)
  return { index, of }
}

/** The rows of one shard: every `of`th, so that rows that resemble each other are spread. */
export function shardOf<Row>(
  rows: readonly Row[],
  { index, of }: ProofOptions['shard'],
): readonly Row[] {
  return rows.filter((_, position) => position % of === index - 1)
}
