/** The controls by which a reader narrows the report; shown by the script, without which they do nothing. */

import { markup, type Markup } from './markup.ts'

const verdicts = ['fail', 'warn', 'inconclusive', 'not-offered', 'not-applicable', 'pass'] as const

export function filter(): Markup {
  return markup`<search id="filter" hidden><label>Find <input type="search" autocomplete="off"></label>
<label>Verdict <select><option value="">any</option>${verdicts.map((each) => markup`<option value="${each}">${each.replace('-', ' ')}</option>`)}</select></label>
<output></output></search>`
}
