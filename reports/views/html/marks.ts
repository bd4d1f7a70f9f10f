/** How verdicts look: always a sign and a word, never a colour alone. */

import type { RequirementRecord } from '../../record/run-record.ts'
import { markup, type Markup } from './markup.ts'

type AnyVerdict = RequirementRecord['verdict']

/** Sign and class name of a verdict. */
export const marks: Readonly<Record<AnyVerdict, { readonly sign: string; readonly tone: string }>> =
  {
    pass: { sign: '✓', tone: 'good' },
    fail: { sign: '✗', tone: 'bad' },
    warn: { sign: '!', tone: 'warn' },
    inconclusive: { sign: '?', tone: 'unclear' },
    'not-offered': { sign: '–', tone: 'none' },
    'not-applicable': { sign: '–', tone: 'none' },
    excluded: { sign: '–', tone: 'none' },
    'not-judged': { sign: '–', tone: 'none' },
  }

/** A verdict as a coloured word with its sign. */
export function badge(verdict: AnyVerdict, text: string = verdict.replace('-', ' ')): Markup {
  const { sign, tone } = marks[verdict]
  return markup`<span class="badge ${tone}" data-verdict="${verdict}"><span aria-hidden="true">${sign}</span> ${text}</span>`
}
