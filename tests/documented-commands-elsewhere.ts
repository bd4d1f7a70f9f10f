/** Commands of the documentation that are typed by the self tests, or by nobody, and why. */

/** By the name of a block, or the beginning of its page. */
const excused: readonly (readonly [block: string, reason: string])[] = [
  ['README.md 1', 'it is what `.ci/run` does first; `npm run certify` is typed by the self test'],
  ['README.md 2', 'they are the tests themselves, and `.ci/run`'],
  ['docs/implementations/', 'they fetch software of others; `npm run implementations` types them'],
  [
    'docs/certify-your-adk-agent.md 3',
    'it is a target.command, which waits for commands; the proof starts it (`behind-an-adapter`)',
  ],
  [
    'docs/self-certification.md 3',
    'it is about an instance elsewhere; certification.self.test.ts does it',
  ],
]

const typedByTheSelfTest = [
  'docs/ci.md 1',
  'docs/self-certification.md',
  'docs/certify-your-tool.md 2',
]

/** Why a block is typed by nobody. */
export function isExcused(name: string): string | undefined {
  return excused.find(([block]) => name.startsWith(block))?.[1]
}

/** Whether a block drives whole runs. */
export function isLong(name: string, script: string): boolean {
  return (
    /^aoc run --profile \S+( --dialect \S+)?$/m.test(script) ||
    typedByTheSelfTest.some((each) => name.startsWith(each))
  )
}
