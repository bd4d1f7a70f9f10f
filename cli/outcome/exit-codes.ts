/** The one table of exit codes: what the command returns, what `--help` prints and what the docs show. */

/** The exit codes of every command, by what they mean. */
export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  inconclusive: 3,
  baselineOutOfDate: 4,
  notVerified: 5,
  harnessError: 70,
} as const

/** An exit code, and what it means in words. */
export interface ExitCodeRow {
  readonly code: number
  readonly meaning: string
}

/** Every exit code of `run`, in numerical order. */
export const exitCodeTable: readonly ExitCodeRow[] = [
  { code: exitCodes.conformant, meaning: 'conformant' },
  { code: exitCodes.nonConformant, meaning: 'non-conformant' },
  { code: exitCodes.usage, meaning: 'usage or configuration error' },
  {
    code: exitCodes.inconclusive,
    meaning: 'inconclusive: the implementation was not reached, or too little of it to judge',
  },
  {
    code: exitCodes.baselineOutOfDate,
    meaning: 'baseline out of date: an entry expired, no longer occurs, or names nothing',
  },
  { code: exitCodes.notVerified, meaning: 'not verified: the bundle proves nothing (verify)' },
  { code: exitCodes.harnessError, meaning: 'harness error: not the fault of the implementation' },
  { code: 129, meaning: 'ended by SIGHUP' },
  { code: 130, meaning: 'ended by SIGINT (Ctrl-C); what was recorded is kept' },
  { code: 143, meaning: 'ended by SIGTERM; what was recorded is kept' },
]

/** Exit codes of signals that a run can be ended by (128 + number of the signal). */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
export type EndingSignal = keyof typeof signalCodes
export const endingSignals: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM']

/** What a code means; `undefined` for one that is never returned. */
export function meaningOf(code: number): string | undefined {
  return exitCodeTable.find((row) => row.code === code)?.meaning
}
