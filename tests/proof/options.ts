/** What `npm run test:defects` was asked for, as its script hands it to the tests. */

export interface Shard {
  readonly index: number
  readonly of: number
}

export interface ProofOptions {
  /** Whether every variation is driven through every scenario. */
  readonly full: boolean
  /** The part of the variations that is proven: `index` counts from 1 to `of`. */
  readonly shard: Shard
  /** The part of the shard that this process proves: one process cannot keep two processors busy. */
  readonly worker: Shard
  /** Chooses the scenarios that are driven beside those that matter. */
  readonly seed: string
  /** The only scenarios that every variation is driven through; empty: those of `full`, or those that matter. */
  readonly scenarios: readonly string[]
  /** Whether what turns is recorded rather than compared. */
  readonly update: boolean
}

/** The names of the variables that carry the options. */
export const variables = {
  full: 'PROOF_FULL',
  shard: 'PROOF_SHARD',
  scenarios: 'PROOF_SCENARIOS',
  seed: 'PROOF_SEED',
  worker: 'PROOF_WORKER',
} as const

/** @throws RangeError for a shard that there cannot be */
export function readOptions(env: Readonly<NodeJS.ProcessEnv>): ProofOptions {
  const update = env['UPDATE'] === '1'
  const scenarios = (env[variables.scenarios] ?? '').split(',').filter(Boolean)
  return {
    // What turns is known only where everything was driven.
    full: scenarios.length === 0 && (update || env[variables.full] === '1'),
    scenarios,
    shard: parseShard(env[variables.shard] ?? '1/1'),
    worker: parseShard(env[variables.worker] ?? '1/1'),
    seed: env[variables.seed] ?? '',
    update,
  }
}

/** Who shares the cases of a shard. What is recorded is written by one. */
export function workersOf({ update }: Pick<ProofOptions, 'update'>): readonly string[] {
  return update ? ['1/1'] : ['1/2', '2/2']
}

export function parseShard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (index < 1 || index > of) throw new RangeError(`expected I/N with I from 1 to N, not ${text}`)
  return { index, of }
}

/** The rows of one shard: every `of`th, so that rows that resemble each other are spread. */
export function shardOf<Row>(rows: readonly Row[], { index, of }: Shard): readonly Row[] {
  return rows.filter((_, position) => position % of === index - 1)
}
