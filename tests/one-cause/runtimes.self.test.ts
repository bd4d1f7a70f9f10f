/** What is told of runtimes that have one thing wrong. */

import { silentRuntime } from '../runtimes.ts'
import { defective, toldOnce } from './told.ts'

toldOnce([
  ['a runtime whose callback URL leads nowhere', defective('runtime', 'callback-url-not-found')],
  ['a runtime that gives no result to the model', defective('runtime', 'results-not-injected')],
  ['a runtime that shows no URL', defective('runtime', 'auth-url-not-shown')],
  ['a runtime that takes an oauth message for a result', defective('runtime', 'oauth-as-result')],
  ['a runtime that answers 404 to everything', silentRuntime('404')],
])
