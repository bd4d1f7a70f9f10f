import type { Expectation } from '../../../../tests/proof/role.ts'
export const expected: Readonly<Record<string, Expectation>> = {}
