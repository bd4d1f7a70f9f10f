import { describeExamples } from '../../../testing.ts'
import { options } from '../testing.ts'
import { givenToEach, identified, keptApart } from './testing.ts'
import { userScenarios } from './users.ts'

describeExamples(
  userScenarios,
  {
    'user-identity': { 'rap-oauth/runtime/user-id-of-own-user': identified },
    'users-alike': keptApart(2),
    'users-of-other-case': {
      ...keptApart(2),
      'rap-oauth/runtime/user-id-of-own-user': identified,
    },
    'one-user-two-conversations': givenToEach(2, true),
  },
  options,
)
