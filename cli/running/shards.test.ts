import { describe, expect, test } from 'vitest'
import { profiles } from '../../suites/registry.ts'
import { selectShard } from './selection.ts'

describe.each(profiles.map((profile) => [profile.id, profile] as const))('%s', (_, profile) => {
  const scenarios: readonly {
    readonly id: string
    readonly control?: string
    readonly after?: 'all'
  }[] = profile.scenarios
  const shared = scenarios.filter(({ after }) => after === 'all').map(({ id }) => id)

  test.each([1, 2, 3, 7])('%d shards have every scenario once', (of) => {
    const shards = Array.from({ length: of }, (_, place) =>
      selectShard(profile, { index: place + 1, of }),
    )
    const own = shards.flatMap(({ judged }) => judged.filter((id) => !shared.includes(id)))
    const all = scenarios.map(({ id }) => id).filter((id) => !shared.includes(id))
    expect(own.toSorted()).toEqual(all.toSorted())
    for (const { judged, driven } of shards) {
      expect(judged).toEqual(expect.arrayContaining(shared))
      const needed = judged.flatMap((id) => scenarios.find((each) => each.id === id)?.control ?? id)
      expect(driven).toEqual(expect.arrayContaining([profile.gate.scenario, ...judged, ...needed]))
    }
  })

  test('is the same every time, and refused where it would be empty', () => {
    const shard = { index: 2, of: 5 }
    expect(selectShard(profile, shard).judged).toEqual(selectShard(profile, shard).judged)
    expect(() => selectShard(profile, { index: 1, of: 1000 })).toThrow(/has \d+ scenarios/)
  })
})
