/** The verdict of a run in a few words that are the same in every view of it. */

import type { RunRecord } from '../record/run-record.ts'

/** `conformant`, `non-conformant`, `inconclusive` or `harness error`. */
export function verdictWord({ verdict, exit }: Pick<RunRecord, 'verdict' | 'exit'>): string {
  return exit.code === 70 ? 'harness error' : verdict
}

/** What keeps a run from counting as a whole one. */
function reservations({
  partial,
  baseline,
  repetition,
  interrupted,
  failures,
  exit,
}: RunRecord): string[] {
  return [
    ...(partial ? ['partial'] : []),
    ...(baseline && baseline.known.length > 0 ? [`${baseline.known.length} known`] : []),
    ...(repetition ? [`repetition ${repetition.number} of ${repetition.of}`] : []),
    ...(interrupted ? ['interrupted'] : []),
    ...(failures.length > 0 && exit.code !== 70 ? ['with harness errors'] : []),
  ]
}

/** A part of the suite, or a run that was cut short, never reads like the whole. */
export function headline(record: RunRecord, word: string = verdictWord(record)): string {
  const marks = reservations(record)
  return marks.length > 0 ? `${word} (${marks.join(', ')})` : word
}

/** How good the news is: only a whole run without reservations is good. */
export function tone(record: RunRecord): 'good' | 'bad' | 'unclear' {
  const word = verdictWord(record)
  if (word === 'non-conformant') return 'bad'
  return word === 'conformant' && reservations(record).length === 0 ? 'good' : 'unclear'
}
