import { describeExamples } from '../../../../testing.ts'
import { acceptsToken } from '../examples.ts'
import { options } from '../testing.ts'
import { lowerCaseScheme } from './lower-case-scheme.ts'

describeExamples(
  [lowerCaseScheme],
  {
    'scheme-in-lower-case': { 'mcp-auth-challenge/server/scheme-in-any-case': acceptsToken() },
  },
  options,
)
