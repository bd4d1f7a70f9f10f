/** What is told of tools that have one thing wrong. */

import { silent } from '../third-party.ts'
import { defective, toldOnce } from './told.ts'

toldOnce([
  ['a tool that never retries after consent', defective('tool', 'retry-left-to-the-agent')],
  ['a tool that swallows errors of the exchange', defective('tool', 'exchange-error-swallowed')],
  ['a tool that never asks its user', defective('tool', 'asks-in-a-result')],
  ['a tool whose redirect URI is another in each flow', defective('tool', 'state-ignored')],
  ['a tool that answers 404 to everything', silent('404')],
])
