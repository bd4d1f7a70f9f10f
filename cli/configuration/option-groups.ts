/** Under which headings `--help` shows the options of a run. */

/** Headings of `aoc run --help`, in this order. */
export const groups = {
  subject: 'What is certified:',
  provider: 'The OAuth provider that it meets:',
  declared: 'What its vendor declares:',
  judging: 'How it is judged:',
  output: 'Output:',
} as const
