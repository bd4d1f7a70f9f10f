/** Says how far a run is: one line that is rewritten on a terminal, a few lines elsewhere. */

import type { Finding, Verdict } from '../../harness/engine/index.ts'
import { countVerdicts } from '../../reports/index.ts'
import { verdictNames } from './marks.ts'
import type { Terminal } from './terminal.ts'

export interface Progress {
  readonly driven: (scenario: string) => void
  readonly judged: (scenario: string, findings: readonly Finding[]) => void
  /** Makes room for lines that somebody else prints. */
  readonly erase: () => void
  /** Prints a line without disturbing the rest. */
  readonly note: (text: string) => void
  readonly stop: () => void
}

/** The progress of a run that drives these scenarios. */
export function showProgress(
  terminal: Terminal,
  scenarios: readonly string[],
  quiet: boolean,
): Progress {
  if (quiet) return { driven() {}, judged() {}, erase() {}, note: terminal.line, stop() {} }
  return terminal.live ? liveProgress(terminal, scenarios) : plainProgress(terminal, scenarios)
}

/** So many lines tell how far a run is where none can be rewritten. */
const milestones = 5

function plainProgress(terminal: Terminal, scenarios: readonly string[]): Progress {
  const findings: Finding[] = []
  let judged = 0
  return {
    driven() {},
    judged(_, own) {
      findings.push(...own)
      judged += 1
      const reached = (count: number): number => Math.floor((count * milestones) / scenarios.length)
      if (reached(judged) === reached(judged - 1)) return
      terminal.line(`${judged}/${scenarios.length} scenarios judged · ${countText(findings)}`)
    },
    erase() {},
    note: terminal.line,
    stop() {},
  }
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** So many scenarios that are still open are named. */
const named = 3

function liveProgress(terminal: Terminal, scenarios: readonly string[]): Progress {
  const open = new Set(scenarios)
  const findings: Finding[] = []
  const started = performance.now()
  let frame = 0
  const draw = (): void => {
    const elapsed = `${((performance.now() - started) / 1000).toFixed(1)}s`
    const driven = scenarios.length - open.size
    const done = driven === 0 ? 'starting' : `${driven}/${scenarios.length} scenarios driven`
    const waiting =
      open.size > named || open.size === 0 ? [] : [`waiting for ${[...open].join(', ')}`]
    const counts = findings.length === 0 ? [] : [countText(findings)]
    const text = [done, ...waiting, ...counts, elapsed].join(' · ')
    const spin = frames[frame++ % frames.length] ?? ''
    terminal.write(
      `\r\u001b[2K${terminal.style('cyan', spin)} ${text.slice(0, terminal.columns - 3)}`,
    )
  }
  const erase = (): void => terminal.write('\r\u001b[2K')
  const timer = setInterval(draw, 100)
  timer.unref()
  draw()
  return {
    driven: (scenario) => void open.delete(scenario),
    judged: (_, judged) => void findings.push(...judged),
    erase,
    note(text) {
      erase()
      terminal.line(text)
    },
    stop() {
      clearInterval(timer)
      erase()
    },
  }
}

/** `12 pass, 1 fail`: the verdicts that occur, worst first. */
export function countText(findings: readonly Finding[]): string {
  const counts = countVerdicts(findings)
  const order: readonly Verdict[] = [
    'fail',
    'warn',
    'inconclusive',
    'pass',
    'not-offered',
    'not-applicable',
  ]
  const parts = order.filter((verdict) => counts[verdict] > 0)
  return (
    parts.map((verdict) => `${counts[verdict]} ${verdictNames[verdict]}`).join(', ') ||
    'nothing judged'
  )
}
