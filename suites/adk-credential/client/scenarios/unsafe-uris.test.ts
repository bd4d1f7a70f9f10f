import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { unsafeUris } from './unsafe-uris.ts'

const shownAs = (kind: string, url: string) => JSON.stringify({ kind, [kind]: url })

/** Where the right URL is shown, as a member of JSON. */
const control = (() => {
  const written = recording().asked()
  return written.shown(shownAs('open', written.url())).opened()
})()

/** Where it is shown in words. */
const inWords = (() => {
  const written = recording().asked()
  return written
    .shown(`user-1: Open this URL: ${written.url()}`)
    .shown(JSON.stringify({ text: `Open this URL: ${written.url()}` }))
    .opened()
})()

const cases = (authUri: string): Cases => ({
  pass: {
    nothing: [recording().asked({ authUri }).window(), {}, control],
    'a refusal': [recording().asked({ authUri }).shown('"Refused."').window(), {}, control],
    'a refusal that quotes it': [
      recording().asked({ authUri }).shown(`"Refused: ${authUri}"`).window(),
      {},
      control,
    ],
    'a refusal in words of the usual form': [
      recording().asked({ authUri }).shown(`Refusing to open this URL: ${authUri}`).window(),
      {},
      inWords,
    ],
    'the same in JSON': [
      recording()
        .asked({ authUri })
        .shown(JSON.stringify({ text: `Refusing to open this URL: ${authUri}` }))
        .window(),
      {},
      inWords,
    ],
    'a refusal that has it as a member': [
      recording().asked({ authUri }).shown(shownAs('refused', authUri)).window(),
      {},
      control,
    ],
  },
  violation: {
    'it was opened': [recording().asked({ authUri }).opened(authUri, 'command'), {}, control],
    'with a redirect URI': [
      recording().asked({ authUri }).opened(`${authUri}?redirect_uri=x`, 'client'),
      {},
      control,
    ],
    'it was shown in the usual words': [
      recording().asked({ authUri }).shown(`user-2: Open this URL: ${authUri}`).window(),
      {},
      inWords,
    ],
    'it was shown like any other': [
      recording().asked({ authUri }).shown(shownAs('open', authUri)).window(),
      {},
      control,
    ],
  },
  inconclusive: {
    'nothing was asked for': recording(),
    'nobody watched': [recording().asked({ authUri }), {}, control],
  },
})

const uris: Readonly<Record<string, string>> = {
  'unsafe-uri-javascript': 'javascript:alert(document.domain)//',
  'unsafe-uri-file': 'file:///etc/hosts',
  'unsafe-uri-data': 'data:text/html,<p>Sign in',
  'unsafe-uri-http': 'http://provider.example/authorize',
  'unsafe-uri-loopback-prefix': 'http://localhost.provider.example/authorize',
  'unsafe-uri-loopback-suffix': 'http://provider-on-localhost/authorize',
  'unsafe-uri-private-address': 'http://10.20.30.40/authorize',
  'unsafe-uri-address-prefix': 'http://127.0.0.1.provider.example/authorize',
  'unsafe-uri-userinfo': 'http://127.0.0.1@provider.example/authorize',
  'unsafe-uri-script-around-a-page':
    'javascript:alert(document.domain)//https://warehouse.example/connect',
  'unsafe-uri-http-around-https': 'http://provider.example/https://warehouse.example/authorize',
  'unsafe-uri-loopback-of-other-scheme': 'ftp://127.0.0.1/authorize',
  'unsafe-uri-custom-scheme': 'intent://provider.example/authorize',
  'unsafe-uri-junk': 'connect your account',
}

describeExamples(
  unsafeUris,
  Object.fromEntries(
    Object.entries(uris).map(([id, uri]) => [
      id,
      { 'adk-credential/client/unsafe-uri-not-opened': cases(uri) },
    ]),
  ),
  options,
)
