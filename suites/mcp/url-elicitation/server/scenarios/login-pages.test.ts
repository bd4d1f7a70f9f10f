import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { linkPages, loginPages } from './login-pages.ts'
import { pagesOfLastAnswers } from './oauth-client.ts'

const markup = '"><script>document.title="page_probe"</script>'
const printed = `<p>${markup}</p><img src=x onerror=page_probe>`

/** So many callbacks, of which the last one is answered by this page. */
function answered(times: number, text: string, type = 'text/html') {
  const t = recording()
  for (let made = 1; made <= times; made += 1) {
    const place = { channel: 'browser', exchange: `b${made}` }
    const url = `http://127.0.0.1:4100/callback?${new URLSearchParams({ iss: markup }).toString()}`
    t.event({ type: 'request', ...place, method: 'GET', url, headers: {} })
    const body = made === times ? { text, bytes: text.length } : undefined
    const headers = { 'content-type': type }
    t.event({ type: 'response', ...place, status: 400, headers, ...(body ? { body } : {}) })
  }
  return t
}

const cases = (least: number): Cases => ({
  pass: {
    'it says something else': answered(least, '<p>It was refused.</p>'),
    'it escapes': answered(least, printed.replaceAll('<', '&lt;')),
    'it prints it as text': answered(least, printed, 'text/plain'),
  },
  violation: { 'it prints it': answered(least, printed) },
  inconclusive: {
    'one was not answered': answered(least - 1, printed),
    'the browser brought none': recording().callback().callback().callback(),
  },
})

describeExamples(
  [loginPages, linkPages, pagesOfLastAnswers],
  {
    'markup-in-login-callback': { 'oauth-client/escape-pages': cases(2) },
    'markup-in-link': {
      'oauth-client/escape-pages': {
        ...cases(1),
        inconclusive: {
          'it was not answered': recording().event({
            type: 'request',
            channel: 'browser',
            exchange: 'b1',
            method: 'GET',
            url: 'http://127.0.0.1:4100/connect?e=page_probe',
            headers: {},
          }),
        },
        'not-offered': { 'the URL leads to the provider': recording() },
      },
    },
    'markup-in-last-answer': { 'oauth-client/escape-pages': cases(3) },
  },
  options,
)
