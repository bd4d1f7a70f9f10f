import type { Oddity } from './oddities/oddity.ts'
export const oddities: readonly Oddity[] = []
