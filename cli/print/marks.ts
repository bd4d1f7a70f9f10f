/** How verdicts look on a terminal. */

import type { RunVerdict, Verdict } from '../../harness/engine/index.ts'
import type { Style } from './terminal.ts'

export const verdictMarks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-offered': '~',
  'not-applicable': '-',
}

export const verdictNames: Readonly<Record<Verdict, string>> = {
  pass: 'pass',
  fail: 'fail',
  warn: 'warn',
  inconclusive: 'inconclusive',
  'not-offered': 'not offered',
  'not-applicable': 'not applicable',
}

export const verdictStyles: Readonly<Record<Verdict, Style>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  inconclusive: 'magenta',
  'not-offered': 'gray',
  'not-applicable': 'gray',
}

export const headlineStyles: Readonly<Record<RunVerdict, Style>> = {
  conformant: ['bold', 'green'],
  'non-conformant': ['bold', 'red'],
  inconclusive: ['bold', 'magenta'],
}
