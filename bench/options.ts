/** The options of the benchmark. */
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** How often every contender takes its turn. */
  readonly rounds: number
  /** By what the length of a turn is multiplied. */
  readonly scale: number
  /** Tokens that are issued to see what becomes of the memory. */
  readonly tokens: number
  /** Where the results are written. */
  readonly output: string
}

export const usage = `npm run bench -- [options]

  --rounds N    turns of every contender, whose median counts (default 5)
  --scale N     makes the turns longer by that factor (default 1)
  --tokens N    tokens issued to see what becomes of the memory (default 200000)
  --output FILE where the results are written (default bench/results.json)
  --help        this text
`

/** Reads the arguments. @throws TypeError for an unknown option or a value that is no number */
export function readOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      scale: { type: 'string', default: '1' },
      tokens: { type: 'string', default: '200000' },
      output: { type: 'string', default: 'bench/results.json' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    rounds: positive('rounds', values.rounds),
    scale: positive('scale', values.scale),
    tokens: positive('tokens', values.tokens),
    output: values.output,
  }
}

function positive(name: string, value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new TypeError(`--${name} must be a positive integer, not ${JSON.stringify(value)}`)
}
