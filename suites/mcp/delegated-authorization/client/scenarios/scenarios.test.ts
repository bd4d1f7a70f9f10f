import { describeExamples } from '../../../../testing.ts'
import { code, examples, merged, recording, urlWith } from '../testing.ts'
import { approve, callbackScenarios } from './approve.ts'
import { laterRequestScenarios } from './asked-again.ts'
import { strayScenarios } from './strays.ts'
import { thinkingUser } from './thinking-user.ts'
import { bothAsk, strayOfAnotherServer, twoServers } from './two-servers.ts'
import { noOptions } from './no-options.ts'
import {
  fixedPort,
  firstIfSupportedScenarios,
  optionScenarios,
  ownSecond,
  soleOptionScenarios,
} from './options.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'
import { urlScenarios } from './urls.ts'
import { wholeRun } from './whole-run.ts'

const own = (name: string): string => `mcp-delegated-authorization/client/${name}`
const asked = (changes = {}) => recording().asked(changes)
const agreed = (changes = {}) => recording().agreed(changes)
const back = () => agreed().comes()
const declined = () => asked().prompt().decide('decline').replies({ result: {} })
const bothAsked = () => asked().prompt().asked({}, 'call-2')
const askedAgain = () => agreed().asked({}, 'call-2')
const declinedAndAsked = (changes = {}) => declined().asked(changes, 'call-2')
const laterAgreed = () => agreed().comes().returns().asked({}, 'call-2').prompt().decide().opened()

const consent = {
  pass: {
    'when the user had agreed': agreed(),
    'a page of its own before that': asked()
      .step('opened', { url: 'http://localhost:6274/', by: 'browser' })
      .prompt()
      .decide()
      .opened(),
    'nothing, and nobody agreed': asked().prompt().window(),
  },
  violation: {
    'before anybody was asked': asked().opened().prompt().decide(),
    'while the user thinks': asked().prompt().opened(),
    'although they declined': asked().prompt().decide('decline').opened(),
  },
  inconclusive: {
    'it was not asked': recording().client(),
    'nothing was opened': asked().prompt().decide(),
    'nobody watched': asked().prompt(),
  },
}

const fetches = {
  pass: { nothing: agreed(), 'nothing, and nobody agreed': asked().prompt().window() },
  violation: {
    'before consent': asked().visited().prompt(),
    'after consent': agreed().visited(),
  },
  inconclusive: { 'it was not asked': recording().client(), 'nobody watched': asked().prompt() },
}

const odd = '/callback?x=2&x=1&empty=&code=c&state=s&n=%e2%82%AC+%20'
const returned = {
  pass: {
    'as it came': back().returns(),
    'as it came, and the browser was hung up on': agreed().comes(undefined, 'ECONNRESET').returns(),
    'with other escapes': agreed()
      .comes(odd)
      .returns(odd.replace('%e2', '%E2').replace('+', '%20')),
  },
  violation: {
    'without a parameter': agreed().comes(odd).returns(odd.replace('&empty=', '')),
    'another value, and the browser was hung up on': agreed()
      .comes(undefined, 'ECONNRESET')
      .returns('/callback?code=d&state=s'),
    'another value': back().returns('/callback?code=d&state=s'),
    'another path': back().returns('/?code=c&state=s'),
    'no url': back().replies({ result: {} }),
    'an error': back().replies({ error: { code: -1 } }),
    'no answer': back().gaveUp(),
  },
  inconclusive: {
    'nobody listened': agreed().comes(undefined, false).gaveUp(),
    'the browser was hung up on, and nothing returned': agreed()
      .comes(undefined, 'ECONNRESET')
      .gaveUp(),
    'the run did not wait for the answer': back(),
    'it had answered before': agreed().returns().comes(),
  },
}

const hungUpOn = () => agreed().comes(undefined, 'ECONNRESET').returns()

const cleared = {
  pass: {
    'closed at last': back().returns().probe('afterwards', 'refused'),
    'closed at last, and the browser was hung up on': hungUpOn().probe('afterwards', 'refused'),
  },
  violation: { 'still open': back().returns().probe('afterwards', 'open') },
  inconclusive: {
    'the listener did not answer': agreed().comes(undefined, 'timeout').returns(),
    'nobody looked': back().returns().probe('itself', 'open'),
    'the port does not answer': back().returns().probe('afterwards', 'silent'),
    'nobody listened': agreed().comes(undefined, false).returns().probe('afterwards', 'refused'),
    'nothing was returned': back().probe('afterwards', 'open'),
  },
}

const options = ['http://127.0.0.1:{port}/first', 'http://127.0.0.1:{port}/second']
const offered = (redirectUri: string, offers: readonly string[] = options) =>
  recording().asked({ redirect_uri_options: offers }).prompt().decide().opened(urlWith(redirectUri))
const [first, second] = ['http://127.0.0.1:9/first', 'http://127.0.0.1:9/second']

const clearedLater = {
  pass: { 'closed at last': laterAgreed().comes().returns().probe('afterwards', 'refused') },
  violation: { 'still open': laterAgreed().comes().returns().probe('afterwards', 'open') },
  inconclusive: {
    'nobody looked': laterAgreed().comes().returns(),
    'only the first one was returned': laterAgreed().probe('afterwards', 'open'),
  },
}

const optionCases = Object.fromEntries(
  optionScenarios.map(({ id }) => {
    const reversed = id === 'options-reversed'
    const [right, wrong] = reversed ? [second, first] : [first, second]
    return [
      id,
      {
        [own('first-option')]: {
          pass: { 'the first one': offered(right) },
          violation: {
            'the second one': offered(wrong),
            'the one of the request': offered('http://127.0.0.1:8000/callback'),
            'no port': offered(right.replace('9', '{port}')),
          },
          inconclusive: { 'nothing was opened': asked().prompt().decide() },
        },
        [own('no-substitution')]: {
          pass: {
            'an option': offered(wrong),
            'the one of the request': offered('http://127.0.0.1:8000/callback'),
          },
          violation: {
            'a path of its own': offered('http://127.0.0.1:9/own'),
            'another host': offered('http://localhost:9/first'),
          },
          inconclusive: { 'nothing was opened': asked().prompt().decide() },
        },
      },
    ]
  }),
)

const own8000 = 'http://127.0.0.1:8000/callback'

/** The first option is to be selected by those who use it where nothing else is offered. */
const whereSupported = (option: string, other: string) => {
  const offers = [option.replace(':9/', ':{port}/'), options[1]!]
  const alone = (uri: string) => offered(uri, offers.slice(0, 1)).comes().returns()
  return {
    pass: { 'the first one': [offered(option, offers), {}, alone(option)] as const },
    violation: { 'the second one': [offered(other, offers), {}, alone(option)] as const },
    'not-offered': {
      'it uses that of the URL alone': [offered(other, offers), {}, alone(own8000)] as const,
    },
    inconclusive: {
      'nothing was opened': [asked().prompt(), {}, alone(option)] as const,
      'nothing is known of it': offered(other, offers),
    },
  }
}

const fixed = 'http://127.0.0.1:23456/fixed'
const fixedPortCases = {
  [own('no-substitution')]: {
    pass: {
      'as it is': offered(fixed, [fixed, options[1]!]),
      'the next one': offered(second, [fixed, options[1]!]),
    },
    violation: {
      'another port': offered('http://127.0.0.1:9/fixed', [fixed, options[1]!]),
      'no port': offered('http://127.0.0.1/fixed', [fixed, options[1]!]),
    },
    inconclusive: { 'nothing was opened': asked().prompt().decide() },
  },
}

const localhost = 'http://localhost:9/third'
const thirdAtLocalhost = 'http://localhost:{port}/third'
const soleOptionCases = (options: readonly string[]) => ({
  [own('no-substitution')]: {
    pass: {
      'the one of the request': offered(own8000, options),
      'it is refused': asked({ redirect_uri_options: options }).replies({
        error: { code: -32602 },
      }),
      'it is refused when the user has agreed': asked({ redirect_uri_options: options })
        .prompt()
        .decide()
        .replies({ error: { code: -32602 } }),
    },
    violation: { 'one of its own': offered('http://127.0.0.1:9/callback', options) },
    inconclusive: {
      'nothing was opened': asked({ redirect_uri_options: options }).prompt().decide(),
    },
  },
})

const without = { redirect_uri_options: undefined }
const offeredOwn = () =>
  agreed({ redirect_uri_options: [own8000] })
    .comes()
    .returns()
const askedWithout = () => offeredOwn().asked(without, 'call-2').prompt().decide()
const noOptionsCases = {
  [own('options-optional')]: {
    pass: {
      'as with options': askedWithout().opened().comes().returns(),
      'it refuses both': recording()
        .asked({ redirect_uri_options: [own8000] })
        .replies({ error: { code: -32603 } })
        .asked(without, 'call-2')
        .replies({ error: { code: -32603 } }),
    },
    violation: {
      'it is refused': askedWithout().replies({ error: { code: -32602 } }),
      'before anybody is asked': offeredOwn()
        .asked(without, 'call-2')
        .replies({ error: { code: -32602 } }),
      'it is taken for a decline': askedWithout().replies({ result: {} }),
      'it is not answered': askedWithout().gaveUp(),
    },
    inconclusive: {
      'it refuses that port at all times': recording()
        .asked({ redirect_uri_options: [own8000] })
        .replies({ error: { code: -32603 } }),
      'it was not asked without': offeredOwn(),
      'the run did not wait': askedWithout(),
      'it was opened, and nothing came of it': askedWithout().opened().gaveUp(),
    },
  },
  [own('no-substitution')]: {
    pass: { 'the one of the URL': askedWithout().opened() },
    violation: {
      'a port of its own': askedWithout().opened(urlWith('http://127.0.0.1:9/callback')),
    },
    inconclusive: { 'nothing was opened': askedWithout() },
  },
}

const unsafe = recording().asked({ url: 'file:///etc/hosts' })
const unsafeCases = {
  [own('refuse-unsafe-url')]: {
    pass: {
      'it was refused': recording()
        .asked({ url: 'x' })
        .replies({ error: { code: -32602 } })
        .window(),
      'the user agreed, and nothing came of it': recording()
        .asked({ url: 'x' })
        .prompt()
        .decide()
        .window(),
    },
    violation: {
      'it was opened': recording().asked({ url: 'x' }).prompt().decide().opened('x'),
      'that of a later call was': agreed()
        .asked({ url: 'x' }, 'call-2')
        .prompt()
        .decide()
        .opened('x'),
    },
    inconclusive: {
      'it was not asked': recording().client(),
      'only a web page was asked for': agreed().window(),
      'nobody watched': unsafe,
      'nothing was heard of it': recording().asked({ url: 'x' }).window(),
    },
    'not-applicable': { 'it opens nothing': [asked(), { opens: false }] as const },
  },
}

const disguised = () => recording().asked({ url: 'https://accounts.good.example/authorize' })
const disguisedAs = (
  shown: Readonly<Record<string, string>>,
  hidden: Readonly<Record<string, string>>,
) => {
  const prompts = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, disguised().prompt(`At: ${text}`)]),
    )
  return {
    [own('show-domain')]: {
      pass: {
        ...prompts(shown),
        'it was refused': disguised().replies({ error: { code: -32602 } }),
      },
      violation: prompts(hidden),
      inconclusive: {
        'it was not asked': recording().client(),
        'nobody was asked': disguised(),
        'it was opened at once': disguised().opened().replies({ result: {} }),
      },
    },
  }
}

const stray = () => agreed().comes('/favicon.ico?v=1')
const strays = {
  pass: {
    'the genuine one': stray().comes().returns(),
    'the genuine one, after the browser was hung up on': agreed()
      .comes('/favicon.ico?v=1', 'ECONNRESET')
      .comes()
      .returns(),
    'none, since the first stray one ended the flow': stray()
      .replies({ error: { code: -32603 } })
      .comes(undefined, false),
  },
  violation: {
    'a stray one': stray().comes().returns('/favicon.ico?v=1'),
    'before the genuine one': stray().returns('/favicon.ico?v=1').comes(undefined, false),
  },
  inconclusive: {
    'no stray one got there': agreed().comes('/x', false).comes().returns(),
    'nobody took it up': agreed().comes('/x', 'timeout').comes().returns(),
    'nothing was returned': stray().comes(),
  },
}

const laterStray = () => laterAgreed().comes('/favicon.ico?v=1')
const laterStrays = {
  pass: { 'the genuine one': laterStray().comes().returns() },
  violation: { 'a stray one': laterStray().comes().returns('/favicon.ico?v=1') },
  inconclusive: {
    'nothing was returned': laterStray().comes(),
    'there was one flow': stray().comes().returns(),
  },
}

const pushedUrl = 'http://as.example:4200/authorize?client_id=c&request_uri=urn:x'
const opensPushed = () => recording().asked({ url: pushedUrl }).prompt().decide().opened(pushedUrl)
const other = '/callback?code=d&state=t'
const bothOpened = () =>
  agreed()
    .asked({ url: urlWith().replace('state=s', 'state=t') }, 'call-2')
    .prompt()
    .decide()
    .opened(urlWith().replace('state=s', 'state=t'))
const bothBack = () => bothOpened().comes(other).on('call-1').comes()
const twoServersCases = {
  [own('code-to-asker-only')]: {
    pass: { 'each has its own': bothBack().returnsTo(1).returnsTo(2, other) },
    violation: {
      'the first one has that of the second': bothOpened()
        .comes(other)
        .on('call-1')
        .returnsTo(1, other),
      'they are exchanged': bothBack().returnsTo(1, other).returnsTo(2),
    },
    inconclusive: {
      'one is not answered': bothBack().returnsTo(1),
      'one was asked': agreed().comes().returns(),
    },
  },
  [own('callback-exact')]: {
    pass: { 'both as they came': bothBack().returnsTo(1).returnsTo(2, other) },
    violation: {
      'the first one is lost': bothBack().returnsTo(2, other).on('call-1').gaveUp(),
      'they are exchanged': bothBack().returnsTo(1, other).returnsTo(2),
    },
    inconclusive: {
      'the run did not wait for one': bothBack().returnsTo(1),
      'nothing came back': bothOpened(),
      'the second one is refused, since the port is taken': bothOpened()
        .comes(other)
        .refusesTo(2)
        .on('call-1')
        .comes()
        .returnsTo(1),
    },
  },
}

const mistaken = '/callback?code=d&state=s'
const bothStray = () => bothOpened().comes(mistaken)
const strayOfAnotherCases = {
  pass: { 'its own alone': bothStray().comes(other).returnsTo(2, other) },
  violation: {
    'the other one': bothStray().returnsTo(2, mistaken).comes(other, false),
    'to the other server': bothStray().comes(other).on('call-1').returnsTo(1, mistaken),
  },
  inconclusive: {
    'nothing was returned': bothStray().comes(other),
    'it was not taken': bothOpened().comes(mistaken, false).comes(other).returnsTo(2, other),
  },
}

const others = (state: string) => agreed().probe('others', state)
const denial = '/callback?error=access_denied&state=s'
const withCode = () => agreed().comes(undefined, true, code).returns()

const escapedPath = urlWith().replace('/authorize', '/authorize/tenants%2Fone/100%25')

/** A URL of which a shell makes {@link urlWith}. */
const throughShell = urlWith().replace('/authorize', '/authorize$(echo)')

const askedAgainCases = {
  [own('consent-before-opening')]: {
    pass: { 'its user is asked': askedAgain().prompt().window() },
    violation: { 'its user is not': askedAgain().opened() },
    inconclusive: {
      'nobody watched': askedAgain(),
      'the client was not asked again': agreed().window(),
      'nothing was opened at first': asked(),
    },
  },
}

describeExamples(
  [
    approve,
    thinkingUser,
    ...callbackScenarios,
    ...laterRequestScenarios,
    ...urlScenarios,
    ...strayScenarios,
    twoServers,
    strayOfAnotherServer,
    bothAsk,
    ...optionScenarios,
    ...soleOptionScenarios,
    ...firstIfSupportedScenarios,
    ownSecond,
    fixedPort,
    noOptions,
    ...unsafeUrlScenarios,
    wholeRun,
  ],
  {
    'domain-behind-user': disguisedAs(
      {
        'the host': 'signin.evil.example',
        'the whole URL': 'https://accounts.good.example@signin.evil.example/authorize',
      },
      { 'the user part': 'accounts.good.example' },
    ),
    'domain-before-at': disguisedAs(
      { 'the host': 'signin.evil.example' },
      { 'what is behind the @': 'accounts.good.example' },
    ),
    'domain-of-long-host': disguisedAs(
      {
        'its end': '…account-5.evil.example',
        'its end alone, in two lines': 'evil\n.example',
        'beginning and end': 'accounts.good.example…evil.example',
      },
      { 'its beginning': 'accounts.good.example.authorize.sign-in-to…' },
    ),
    'asked-again': askedAgainCases,
    'asked-again-same-url': askedAgainCases,
    'thinking-user': { [own('consent-before-opening')]: consent },
    'asked-after-decline': {
      [own('consent-before-opening')]: {
        pass: { 'its user is asked': declinedAndAsked().prompt().window() },
        violation: { 'its user is not': declinedAndAsked().opened() },
        inconclusive: {
          'nobody watched': declinedAndAsked(),
          'nobody declined': agreed().asked({}, 'call-2').window(),
        },
      },
      [own('show-domain')]: {
        pass: { 'the host': declinedAndAsked().prompt() },
        violation: {
          'that of the first request': declinedAndAsked({
            url: 'https://other.example/authorize',
          }).prompt(),
        },
        inconclusive: { 'nobody was asked': declinedAndAsked() },
      },
      [own('show-message')]: {
        pass: { 'as it came': declinedAndAsked().prompt() },
        violation: {
          'that of the first request': declinedAndAsked({
            message: 'Connect the shelves',
          }).prompt(),
        },
        inconclusive: { 'nobody was asked': declinedAndAsked() },
      },
    },
    approve: {
      [own('declare-capability')]: {
        pass: { 'an object': recording().client() },
        violation: {
          'among the experimental ones': recording().client({
            experimental: { delegated_authorization: {} },
          }),
          'no object': recording().client({ delegated_authorization: true }),
        },
        inconclusive: {
          'nothing of the kind': recording().client({ elicitation: {} }),
          'no client': recording(),
        },
      },
      [own('show-domain')]: {
        pass: {
          'apart from the URL': asked().prompt(),
          'inside the URL': asked().prompt(`Connect your account ${urlWith()}`),
          'in a box': asked().prompt('│ At: AS.exa │\n│ mple        │'),
        },
        violation: { 'not at all': asked().prompt('Connect your account?') },
        inconclusive: { 'nobody was asked': asked(), 'it was not asked': recording().prompt() },
      },
      [own('show-message')]: {
        pass: { 'as it came': asked().prompt() },
        violation: { 'not at all': asked().prompt('At: as.example') },
        inconclusive: { 'nobody was asked': asked() },
      },
      [own('consent-before-opening')]: consent,
      [own('open-once')]: {
        pass: {
          'one browser': agreed().returns(),
          'one browser, told twice': agreed()
            .step('opened', { url: urlWith(), by: 'browser' })
            .returns(),
        },
        violation: { 'two browsers': agreed().opened().returns() },
        inconclusive: {
          'nothing was opened': asked().prompt().decide().replies({ result: {} }),
          'it has not answered': agreed(),
        },
        'not-applicable': { 'it opens nothing': [agreed(), { opens: false }] as const },
      },
      [own('open-complete-url')]: {
        pass: {
          'as it came': agreed(),
          'with another redirect URI': asked()
            .prompt()
            .decide()
            .opened(urlWith().replace('%2Fcallback', '%2Ffirst')),
          'its path encoded otherwise': asked({ url: throughShell })
            .prompt()
            .decide()
            .opened(throughShell.replace('$(echo)', '%24%28echo%29')),
          'with more': asked().prompt().decide().opened(`${urlWith()}&prompt=consent`),
        },
        violation: {
          'another state': asked().prompt().decide().opened(urlWith().replace('state=', 'state=x')),
          'what a shell made of it': asked({ url: throughShell })
            .prompt()
            .decide()
            .opened(urlWith()),
          'at another place': asked()
            .prompt()
            .decide()
            .opened(urlWith().replace('/authorize', '/consent')),
          'a parameter is missing': asked({ url: `${urlWith()}&resource=a` })
            .prompt()
            .decide()
            .opened(),
        },
        inconclusive: { 'nothing was opened': asked().prompt().decide() },
      },
      [own('no-own-request')]: fetches,
      [own('callback-exact')]: returned,
      [own('clear-state')]: cleared,
    },
    'url-for-a-shell': {
      [own('open-complete-url')]: {
        pass: { 'as it came': asked({ url: throughShell }).prompt().decide().opened(throughShell) },
        violation: {
          'what a shell made of it': asked({ url: throughShell })
            .prompt()
            .decide()
            .opened(urlWith()),
        },
        inconclusive: { 'it was refused': asked({ url: throughShell }).replies({ result: {} }) },
      },
    },
    'url-with-escaped-path': {
      [own('open-complete-url')]: {
        pass: {
          'as it came': asked({ url: escapedPath }).prompt().decide().opened(escapedPath),
          'with other letters': asked({ url: escapedPath })
            .prompt()
            .decide()
            .opened(escapedPath.replace('%2F', '%2f').replace('/tenants', '/%74enants')),
        },
        violation: {
          'its slash unescaped': asked({ url: escapedPath })
            .prompt()
            .decide()
            .opened(escapedPath.replace('%2F', '/')),
          'escaped twice': asked({ url: escapedPath })
            .prompt()
            .decide()
            .opened(escapedPath.replace('%2F', '%252F')),
        },
        inconclusive: { 'nothing was opened': asked({ url: escapedPath }).prompt() },
      },
    },
    'listener-interfaces': {
      [own('loopback-only')]: {
        pass: { 'nobody else is heard': others('refused').probe('itself', 'open') },
        violation: { 'it is': others('open').probe('itself', 'open') },
        inconclusive: {
          'nobody listened': others('refused').probe('itself', 'refused'),
          'nobody looked': agreed().probe('itself', 'open'),
        },
      },
    },
    decline: {
      [own('clear-state')]: {
        pass: { 'nobody listens': declined().probe('afterwards', 'refused') },
        violation: { 'somebody does': declined().probe('afterwards', 'open') },
        inconclusive: {
          'nobody looked': declined(),
          'nothing was declined': asked().prompt().probe('afterwards', 'open'),
          'it had answered before': asked()
            .prompt()
            .replies({ result: {} })
            .decide('decline')
            .probe('afterwards', 'open'),
        },
      },
      [own('decline-empty')]: {
        pass: { 'an empty result': asked().prompt().decide('decline').replies({ result: {} }) },
        violation: {
          'a url': asked().prompt().decide('decline').returns(),
          'an empty url': asked()
            .prompt()
            .decide('decline')
            .replies({ result: { url: '' } }),
          'an error': asked()
            .prompt()
            .decide('decline')
            .replies({ error: { code: -1 } }),
          'no answer': asked().prompt().decide('decline').gaveUp(),
        },
        inconclusive: {
          'nobody could': asked().prompt(),
          'the run did not wait for it': asked().prompt().decide('decline'),
          'it had answered before': asked().prompt().replies({ result: {} }).decide('decline'),
        },
      },
      [own('consent-before-opening')]: consent,
      [own('no-own-request')]: fetches,
    },
    denied: { [own('provider-error-returned')]: returned, [own('clear-state')]: cleared },
    'odd-callback': {
      [own('callback-exact')]: returned,
      [own('callback-bytes')]: {
        pass: { 'as it came': agreed().comes(odd).returns(odd) },
        violation: { 'with other escapes': agreed().comes(odd).returns(odd.replace('%e2', '%E2')) },
        inconclusive: {
          'the content differs': agreed().comes(odd).returns('/callback?code=c'),
          'nothing came back': agreed(),
        },
      },
    },
    ...Object.fromEntries(
      strayScenarios.map(({ id }) => [id, { [own('validate-callback')]: strays }]),
    ),
    'stray-later': {
      [own('validate-callback')]: laterStrays,
      [own('clear-state')]: clearedLater,
    },
    'two-servers': twoServersCases,
    'stray-of-another-server': { [own('validate-callback')]: strayOfAnotherCases },
    'both-servers-ask': {
      [own('consent-before-opening')]: {
        pass: {
          'the first is opened': bothAsked().on('call-1').decide().opened().window(),
          'the other one is asked for afterwards': bothAsked()
            .on('call-1')
            .decide()
            .opened()
            .on('call-2')
            .prompt()
            .window(),
        },
        violation: {
          'both are opened': bothAsked().on('call-1').decide().opened().on('call-2').opened(),
          'the other one is': bothAsked().on('call-1').decide().on('call-2').opened(),
        },
        inconclusive: {
          'nobody watched': bothAsked().on('call-1').decide().opened(),
          'nobody agreed': bothAsked().window(),
          'the other one has not asked': agreed().window(),
        },
      },
    },
    ...optionCases,
    'options-unsupported': soleOptionCases(['https://callback.example.com/{session}']),
    'options-localhost': soleOptionCases([thirdAtLocalhost]),
    'options-localhost-first': { [own('first-option')]: whereSupported(localhost, second) },
    'options-before-that-of-the-url': {
      [own('first-option')]: {
        pass: { 'the first one': offered(second, [options[1]!, own8000]) },
        violation: { 'that of the URL': offered(own8000, [options[1]!, own8000]) },
        inconclusive: { 'nothing was opened': asked().prompt().decide() },
      },
    },
    'options-fixed-port': fixedPortCases,
    'options-fixed-port-first': { [own('first-option')]: whereSupported(fixed, second) },
    'no-options': noOptionsCases,
    ...Object.fromEntries(unsafeUrlScenarios.map(({ id }) => [id, unsafeCases])),
    'whole-run': {
      [own('consent-before-opening')]: {
        pass: { 'in every scenario': merged(agreed(), recording('b').agreed()) },
        violation: { 'in one of them': merged(agreed(), recording('b').asked().opened()) },
        inconclusive: {
          'nothing was asked': merged(recording().client()),
          'but where anything may be': merged(recording('unsafe-url-file').asked().opened()),
        },
      },
      [own('open-complete-url')]: {
        pass: { 'in every scenario': merged(agreed(), recording('b').agreed()) },
        violation: {
          'in one of them': merged(
            agreed(),
            recording('b').asked().prompt().decide().opened('http://as.example:4200/authorize'),
          ),
        },
        inconclusive: { 'nothing was opened': merged(asked()) },
      },
      [own('open-once')]: {
        pass: { 'in every scenario': merged(back().returns(), recording('b').agreed()) },
        violation: {
          'in one of them': merged(back().returns(), recording('b').agreed().opened().returns()),
        },
        inconclusive: { 'nothing was opened': merged(asked()) },
        'not-applicable': { 'it opens nothing': [merged(agreed()), { opens: false }] as const },
      },
      [own('no-own-request')]: {
        pass: { 'in every scenario': merged(agreed(), recording('b').agreed()) },
        violation: {
          'in one of them': merged(agreed(), recording('b').agreed().comes().visited()),
        },
        inconclusive: { 'it was not asked': merged(recording().client()) },
      },
      [own('no-substitution')]: {
        pass: {
          'in every scenario': merged(agreed(), recording('b').agreed()),
          'a request that was pushed': merged(opensPushed()),
        },
        violation: {
          'in one of them': merged(
            agreed(),
            recording('b').asked().prompt().decide().opened(urlWith('http://127.0.0.1:9/own')),
          ),
        },
        inconclusive: { 'nothing was opened': merged(asked()) },
      },
      [own('no-logging')]: {
        pass: {
          nowhere: merged(withCode().prints('done').keeps('a token')),
          'only what is wrong': merged(
            withCode().asked().comes(denial).prints('error=access_denied'),
          ),
        },
        violation: {
          'in the log': merged(withCode().prints('got it', code)),
          'in a file': merged(withCode().keeps('http://127.0.0.1:8000/callback?code=c', code)),
          'one with an error': merged(
            withCode().asked().comes(denial).prints(`"GET ${denial} HTTP/1.1" 200 -`),
          ),
        },
        inconclusive: {
          'no client got one': merged(agreed().prints('done')),
          'it keeps more than is read': merged(withCode().step('unscanned', { kind: 'store' })),
          'a file cannot be read to its end': merged(
            withCode().keeps('', { ...code, kind: 'unread' }),
          ),
        },
      },
      [own('code-to-asker-only')]: {
        pass: { 'in the answer alone': merged(withCode()) },
        violation: { 'in a notification': merged(withCode().says({ method: 'x' }, code)) },
        inconclusive: { 'no client got one': merged(agreed()) },
      },
    },
  },
  examples,
)
