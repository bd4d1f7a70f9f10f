import { describeExamples } from '../../../../testing.ts'
import { options } from '../testing.ts'
import { longUrl } from './long-url.ts'
import { byRequest, exactUrl, fullUrl } from './testing.ts'

describeExamples(
  [longUrl],
  {
    'long-url': {
      'mcp-url-elicitation/client/show-full-url': fullUrl(byRequest),
      'mcp-url-elicitation/client/open-exact-url': exactUrl(byRequest),
    },
  },
  options,
)
