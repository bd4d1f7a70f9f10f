/** How much of a state changes from flow to flow. */

import {
  alikeByChance,
  differences,
  pass,
  randomPlaces,
  violation,
  type Evidence,
  type Judgement,
} from '../../harness/engine/index.ts'

/** Enough of the states changes from flow to flow, also of what nobody who calls knows of them. */
export function statesVary(
  states: readonly string[],
  unknown: readonly string[],
  evidence: readonly Evidence[],
): Judgement {
  const bits = Math.floor(
    Math.min(...[states, unknown].flatMap((values) => [varyingBits(values), pairBits(values)])),
  )
  if (bits >= minimumBits)
    return pass(`${states.length} different values, at least ${bits} varying bits`, evidence)
  return violation(
    'state is too predictable: too few of its characters change from flow to flow',
    {
      expected: `at least ${minimumBits} random bits (RFC 6749 §10.10 demands 128)`,
      actual: `about ${bits} bits: ${states.join(', ')}`,
    },
    evidence,
  )
}

/** Below this many changing bits a state is called predictable; honest values have far more. */
const minimumBits = 64

/** A lower bound of what changes between values: they may begin or end alike. */
function varyingBits(values: readonly string[]): number {
  const fromTheEnd = values.map((value) => Array.from(value).toReversed().join(''))
  return Math.min(...[values, fromTheEnd].map(alignedBits))
}

/** A lower bound of what changes between the two values that are most alike: what changes seldom keeps nobody from guessing. */
function pairBits(values: readonly string[]): number {
  const different = [...new Set(values)]
  const length = Math.min(...different.map((value) => value.length))
  const alphabet = alphabetSize(different.join(''))
  const unlike = Math.min(
    length,
    ...different.flatMap((value, index) =>
      different.slice(0, index).map((other) => differences(value, other)),
    ),
  )
  return randomPlaces(unlike, length, alphabet) * Math.log2(alphabet)
}

/** Places whose character is not the same in all values, and those that are alike by chance, by the size of the alphabet. */
function alignedBits(values: readonly string[]): number {
  const length = Math.min(...values.map((value) => value.length))
  const columns = Array.from({ length }, (_, at) => values.map((value) => value[at]).join(''))
  const varying = columns.filter((column) => new Set(column).size > 1)
  const alphabet = alphabetSize(varying.join(''))
  const alike = alikeByChance(varying.length, alphabet ** (1 - values.length), rarest)
  return Math.min(length, varying.length + alike) * Math.log2(alphabet)
}

/** More than that are alike once in thousands of millions of runs. */
const rarest = 1e-10

function alphabetSize(text: string): number {
  if (/^\d*$/.test(text)) return 10
  if (/^[0-9a-f-]*$/i.test(text)) return 16
  if (/^[0-9a-z]*$/.test(text) || /^[0-9A-Z]*$/.test(text)) return 36
  return 64
}
