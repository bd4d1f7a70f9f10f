/** Examples that several scenarios share: the same check in another situation. */

import type { AskOptions } from '../script.ts'
import { code, landing, recording, type Cases } from '../testing.ts'

const nothing = { 'nothing was asked for': recording() }
const unopened = { ...nothing, 'nothing was opened': recording().asked() }
const alone = { ...unopened, 'the browser did not come back': recording().asked().opened() }
const unanswered = { ...alone, 'nothing was answered': recording().approved() }

/** A request in another form. */
export const detected = (options: AskOptions = {}): Cases => ({
  pass: {
    'it was opened': recording().asked(options).opened(),
    'it was opened by a command': recording().asked(options).opened(undefined, 'command'),
    'a page of its own was opened before': recording()
      .asked(options)
      .opened('http://127.0.0.1:4200/', 'command')
      .opened(),
  },
  violation: {
    'it was waited for': recording().asked(options).gaveUp('opened'),
    'a page of its own alone was opened': recording()
      .asked(options)
      .opened('http://127.0.0.1:4200/', 'command')
      .gaveUp('opened'),
  },
  inconclusive: { ...nothing, 'nobody waited': recording().asked(options) },
})

const own = encodeURIComponent(landing)

const altered = (change: (url: string) => string, options: AskOptions = {}) => {
  const written = recording().asked(options)
  return written.opened(change(written.ask.authUri))
}

export const unaltered = (options: AskOptions = {}): Cases => ({
  pass: {
    'the redirect URI added': recording().asked(options).opened(),
    'encoded otherwise, in another order': altered((url) => {
      const { origin, pathname, searchParams } = new URL(url)
      searchParams.set('redirect_uri', landing)
      return `${origin}${pathname}?${String(new URLSearchParams([...searchParams].toReversed()))}`
    }, options),
    'a page with TLS': altered((url) => `${url}&redirect_uri=https%3A%2F%2Fapp.example%2Fcb`),
  },
  violation: {
    'no redirect URI': altered((url) => url),
    'an empty one': altered((url) => `${url}&redirect_uri=`),
    'two of them': altered((url) => `${url}&redirect_uri=${own}&redirect_uri=${own}`),
    'no page': altered((url) => `${url}&redirect_uri=http%3A%2F%2Fapp.example%2Fcb`),
    decoded: altered((url) => `${decodeURIComponent(url)}&redirect_uri=${own}`),
    'without a parameter': altered(
      (url) => `${url.replace('&prompt=consent', '')}&redirect_uri=${own}`,
    ),
    'with another scope': altered(
      (url) => `${url.replace('items%3Aread', 'all')}&redirect_uri=${own}`,
    ),
  },
  inconclusive: unopened,
})

export const byId = (options: AskOptions = {}): Cases => ({
  pass: {
    'its own': recording().approved(options).answer(),
    'beside a message in words': recording()
      .approved(options)
      .send([{ text: 'I am back.' }], [])
      .answer(),
  },
  violation: {
    'that of the paused call': paused(options),
    none: recording().approved(options).answer({ id: undefined }),
    'an invented one': recording().approved(options).answer({ id: 'adk-1' }),
  },
  inconclusive: unanswered,
})

function paused(options: AskOptions) {
  const written = recording().approved(options)
  return written.answer({ id: written.ask.paused })
}

const answering = (change: (config: Readonly<Record<string, unknown>>) => object) => {
  const written = recording().approved()
  return written.answer({ response: change(written.config()) })
}

export const carries = (options: AskOptions = {}): Cases => ({
  pass: {
    'as it came': recording().approved(options).answer(),
    'in snake_case, with members that are null': answering((config) =>
      JSON.parse(
        JSON.stringify({ ...config, extra: null }).replaceAll(
          /"([a-zA-Z]+)":/g,
          (_, name: string) =>
            `"${name.replaceAll(/[A-Z]/g, (each) => `_${each.toLowerCase()}`)}":`,
        ),
      ),
    ),
    'with the URL as it was opened': answering((config) =>
      changed(config, { authUri: 'https://x' }),
    ),
    'with a credential that was made': recording('response')
      .asked()
      .begun()
      .opened()
      .back()
      .completed()
      .answer(),
  },
  violation: {
    'another name': recording().approved(options).answer({ name: 'oauth' }),
    'the callback alone': answering(({ exchangedAuthCredential }) => ({ exchangedAuthCredential })),
    'without its key': answering((config) => ({ ...config, credentialKey: undefined })),
    'with another state': answering((config) => changed(config, { state: 'own' })),
    'with another client': answering((config) => changed(config, { clientId: 'd' })),
    'nothing at all': answering(() => ({})),
    'with another credential than was made': lost(),
  },
  inconclusive: unanswered,
})

function lost() {
  const written = recording('response').asked().begun().opened().back().completed()
  return written.answer({ response: written.ask.config })
}

function changed(config: Readonly<Record<string, unknown>>, members: object): object {
  const exchanged = config['exchangedAuthCredential'] as { readonly oauth2: object }
  const oauth2 = { ...exchanged.oauth2, ...members }
  return { ...config, exchangedAuthCredential: { ...exchanged, oauth2 } }
}

const viaRoute = () => recording('response').asked().begun().opened().back()

export const verbatim = (options: AskOptions = {}): Cases => ({
  pass: {
    'as it came': recording().approved(options).answer(),
    'with every character escaped': answering((config) =>
      changed(config, { authResponseUri: escaped(config) }),
    ),
    'at the consent leg': viaRoute().completed().answer(),
    'redeemed by the application': redeemed(),
  },
  violation: {
    'without its query': answering((config) => changed(config, { authResponseUri: landing })),
    'the code alone': answering((config) =>
      changed(config, { authResponseUri: `${landing}?code=${code}` }),
    ),
    'at another place': answering((config) =>
      changed(config, { authResponseUri: recordedElsewhere(config) }),
    ),
    'not at all': answering((config) => changed(config, { authResponseUri: undefined })),
    'another redirect URI': answering((config) =>
      changed(config, { redirectUri: 'http://127.0.0.1:1/' }),
    ),
    'no redirect URI': answering((config) => changed(config, { redirectUri: undefined })),
    'another code at the consent leg': viaRoute().completed({ code: 'x' }).answer(),
    'another state at the consent leg': viaRoute().completed({ state: 'x' }).answer(),
    'no credential': unmade(),
  },
  inconclusive: unanswered,
})

function recordedElsewhere(config: Readonly<Record<string, unknown>>): string {
  const { oauth2 } = config['exchangedAuthCredential'] as {
    readonly oauth2: { authResponseUri: string }
  }
  return oauth2.authResponseUri.replace('/callback', '/other')
}

/** The callback with its path and its parameters in escapes. */
function escaped(config: Readonly<Record<string, unknown>>): string {
  const { oauth2 } = config['exchangedAuthCredential'] as {
    readonly oauth2: { authResponseUri: string }
  }
  const [place = '', query = ''] = oauth2.authResponseUri.split('?')
  const hide = (text: string): string =>
    text.replaceAll(/\w/g, (each) => `%${each.charCodeAt(0).toString(16)}`)
  const pairs = query.split('&').map((pair) => pair.split('='))
  const hidden = pairs.map(([name = '', value = '']) =>
    name === 'state' ? `${hide(name)}=${hide(value)}` : `${hide(name)}=${value}`,
  )
  return `${place.replace('callback', hide)}?${hidden.join('&')}`
}

function redeemed() {
  const written = recording('response').asked()
  const url = `https://127.0.0.1:4300/authorize?state=own&redirect_uri=${own}`
  return written
    .opened(url)
    .back(written.redirect({ code, state: 'own' }))
    .answer()
}

function unmade() {
  const written = recording('response').asked()
  const url = `https://127.0.0.1:4300/authorize?state=own&redirect_uri=${own}`
  const back = written.opened(url).back(written.redirect({ code, state: 'own' }))
  return back.answer({ response: written.ask.config })
}

export const inSession: Cases = {
  pass: { 'the same': recording().approved().answer() },
  violation: {
    'another session': moved({ sessionId: 'other' }),
    'another user': moved({ userId: 'other' }),
    'another application': moved({ appName: 'other' }),
  },
  inconclusive: unanswered,
}

function moved(at: Readonly<Record<string, unknown>>) {
  const written = recording().approved()
  const functionResponse = { id: written.ask.id, name: 'adk_request_credential', response: {} }
  return written.send([{ functionResponse }], [], at)
}

export const beforeCallback: Cases = {
  pass: {
    'after it': recording().asked().opened().window().back().answer(),
    'not at all, while somebody watched': recording().asked().window(),
    'words meanwhile': recording()
      .asked()
      .send([{ text: 'And?' }], [])
      .window()
      .back()
      .answer(),
  },
  violation: {
    'the request': recording().asked().answer().window(),
    'the request, between': recording().asked().opened().answer().back(),
    'the paused call': pausedFirst(),
  },
  inconclusive: { ...nothing, 'nobody watched': recording().asked().opened().back().answer() },
}

function pausedFirst() {
  const written = recording().asked()
  return written.answer({ id: written.ask.paused, name: 'list_items' }).window()
}

export const everyOne: Cases = {
  pass: { 'it was answered': recording().approved().answer() },
  violation: { 'it was waited for': recording().approved().gaveUp('answered') },
  inconclusive: { ...alone, 'nobody waited': recording().approved() },
}

export const unexposed: Cases = {
  pass: {
    'in the answer alone': recording().approved().answer(),
    'on the way to a page of its own': recording()
      .asked()
      .opened()
      .sentOn(`http://localhost:5173/done?code=${code}`),
    'in a script of the page': recording()
      .asked()
      .opened()
      .back(undefined, `<script>opener.postMessage("${code}")</script>`),
  },
  violation: {
    'on the page': recording().asked().opened().back(undefined, `<p>${code}</p>`),
    'on the way to another site': recording()
      .asked()
      .opened()
      .sentOn(`https://metrics.example/?code=${code}`),
    'to the user': recording().approved().shown(`Your code is ${code}`),
    'in a log': recording().approved().printed(`GET /callback?code=${code}`),
    'in words to the agent': recording()
      .approved()
      .send([{ text: `Here: ${code}` }], []),
  },
  inconclusive: alone,
}
