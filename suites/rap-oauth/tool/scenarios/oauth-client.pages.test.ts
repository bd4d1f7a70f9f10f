import { describeChecks, recording, redirectUri, type Ending } from '../testing.ts'
import { pages } from './oauth-client.ts'

const raw = `Denied: " onfocus=page_probe x="'><script>document.title='page-probe'</script>`
const escaped = raw.replaceAll('<', '&lt;')
const page = (text: string, type = 'text/html; charset=utf-8'): Ending => ({
  status: 400,
  headers: type ? { 'content-type': type } : {},
  text,
})

/** Four callbacks, the last of which is answered by this. */
function answered(last: Ending) {
  const t = recording().asked()
  for (const ending of [page('no'), 204, page('no'), last]) t.browse(`${redirectUri}?x=1`, ending)
  return t
}

describeChecks(pages, {
  'oauth-client/escape-pages': {
    pass: {
      'it escapes': answered(page(escaped)),
      'it quotes it in an attribute': answered(
        page(`<input value="${escaped.replaceAll('"', '&quot;')}"><p title="page_probe">`),
      ),
      'a handler that has it as a text': answered(
        page(
          '<a onclick="tell(&quot;\\u0027 page_probe&quot;)" href="https://x/?javascript:page_probe">',
        ),
      ),
      'a script that has it as a text': answered(
        page(`<script>const why = ${JSON.stringify(raw).replaceAll('<', '\\u003c')}</script>`),
      ),
      'a script that has it in single quotes': answered(
        page(`<script>const why = '${escaped.replaceAll("'", "\\'")}' // page_probe</script>`),
      ),
      'data that hold it': answered(
        page('<script type="application/json">{"page_probe": 1}</script>'),
      ),
      'it prints as text what it does not escape': answered(page(raw, 'text/plain')),
      'it prints as JSON what it does not escape': answered(page(raw, 'application/json')),
    },
    violation: {
      'a script': answered(page(raw)),
      'an image': answered(page('<p><img src=x onerror=page_probe></p>')),
      'out of an attribute': answered(page(`<input value="${escaped}">`)),
      'out of a text in a script': answered(page(`<script>const why = "${escaped}"</script>`)),
      'out of single quotes': answered(
        page(`<script>const why = '${escaped};page_probe'</script>`),
      ),
      'out of a text in a handler': answered(page('<a onclick="tell(&quot;&quot;,page_probe)">')),
      'an address that is a script': answered(page('<a href=" JavaScript:page_probe">More</a>')),
      'in capitals': answered(page('<SCRIPT>document.title=1</SCRIPT>')),
      'a page without a type': answered(page(raw, '')),
      'in SVG': answered(page(raw, 'image/svg+xml')),
    },
    inconclusive: {
      'not all callbacks were answered': answered('refused'),
      'none was delivered': recording().asked(),
    },
  },
})
