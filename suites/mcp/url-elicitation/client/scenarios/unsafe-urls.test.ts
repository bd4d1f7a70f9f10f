import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, type Cases, type Recording } from '../testing.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'

const script = 'javascript:alert(1)'
const asked = () => recording().asked({ url: script })

const next = (from: Recording, url: string) => from.begin().attempt().elicit({ url })

const refuses: Cases = {
  pass: {
    'an error': asked().refuse().window(),
    'cancelled for the user': asked().answer({ action: 'cancel' }).window(),
    'the user agrees, and it is not opened': asked().prompt().decide().window(),
    'the call ends with it': recording().client().begin().attempt().input().window(),
    'of two calls': next(asked().refuse(), script).refuse().window(),
    'after a web page, which is': next(recording().accepted(), script).refuse().window(),
    'beside a web page, which is': recording()
      .asked()
      .elicit({ url: script })
      .refuse()
      .prompt()
      .decide()
      .opened()
      .window(),
  },
  violation: {
    'it is opened': asked().prompt().decide().opened(script),
    'it is opened at once': asked().opened(script).window(),
    'that of a later call': next(asked().refuse(), script).prompt().decide().opened(script),
    'that of a call after a web page': next(recording().accepted(), script)
      .prompt()
      .decide()
      .opened(script),
    'beside a web page': recording()
      .asked()
      .elicit({ url: script })
      .prompt()
      .decide()
      .opened()
      .opened(script),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody watched': asked().refuse(),
    'nothing came of it': asked().window(),
    'nothing came of a later call': next(asked().refuse(), script).window(),
  },
  'not-applicable': { 'a client that opens nothing': [asked(), { opens: false }] },
}

const punycode = 'https://xn--80ak6aa92e.example/connect'
const decoded = 'https://\u0430\u0440\u0440\u04cf\u0435.example/connect'
const ordinary = 'https://warehouse.example/connect'
const refused = (from: Recording, text: string) => from.prompt(text).decide('decline')
/** After prompts for an ordinary host. */
const suspicious = (usual = promptText(ordinary), later = usual) => {
  const once = refused(recording().asked({ url: ordinary }), usual)
  return next(refused(next(once, ordinary), later), punycode)
}
const withNumber = `${promptText(ordinary)}\nAnswer: respond elicitation 12 \u2819 Elicitation ID Request. For a call of a tool.`
/** After one that is refused without a word. */
const unasked = () =>
  next(next(recording().asked({ url: ordinary }).refuse(), ordinary).refuse(), punycode)

const warns: Cases = {
  pass: {
    'a sentence': suspicious().prompt(`${promptText(punycode)} Careful: foreign letters!`),
    'a sign': suspicious().prompt(`\u26a0 ${promptText(punycode)}`),
    'it is refused': suspicious().refuse(),
    'it is cancelled': suspicious().answer({ action: 'cancel' }),
    'the call ends with it': recording()
      .client({ url: {} }, { modern: true })
      .begin()
      .begin()
      .begin()
      .attempt()
      .inputAt(punycode)
      .window(),
  },
  violation: {
    'the same prompt': suspicious().prompt(promptText(punycode)),
    'the same prompt in pieces': suspicious().prompt(
      promptText(punycode).replace('example', 'exam\nple'),
    ),
    'what came of the call before it': suspicious(
      promptText(ordinary),
      `declined\n${promptText(ordinary)}`,
    ).prompt(`declined\n${promptText(punycode)}`),
    'the letters that it stands for': suspicious().prompt(promptText(decoded)),
    'every host with TLS is called secure': suspicious(`\u{1f512} ${promptText(ordinary)}`).prompt(
      `\u{1f512} ${promptText(punycode)}`,
    ),
    ...Object.fromEntries(
      [
        'Answer: respond elicitation-2585d088-ffbf-4f88-a7e6-62663680e35e',
        'Answer: respond elicitation-2585d088-\n  ffbf-4f88-a7e6-deca3680e35e',
        'Elicitation ID: elicitation-call-1-facade01',
        'Request kTqXw9bzzP',
        'For a call of a tool.',
        '\u280b',
      ].map((line, index) => [
        `nothing but what is new in every prompt, ${index}`,
        suspicious(withNumber).prompt(`${promptText(punycode)}\n${line}`),
      ]),
    ),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody was asked': suspicious(),
    'nothing to compare with': unasked().prompt(promptText(punycode)),
  },
}

const accepts: Cases = {
  pass: {
    'it declined': recording().asked().answer({ action: 'decline' }),
    'its user agreed': recording().asked().prompt().decide().answer(),
    'an error': recording().asked().refuse(-32602),
  },
  violation: {
    'nobody was asked': recording().asked().answer(),
    'nobody was asked in a later call': next(asked().refuse(), script).answer(),
  },
  inconclusive: { 'nothing was asked': recording().client().begin().attempt() },
}

describeExamples(
  unsafeUrlScenarios,
  Object.fromEntries(
    unsafeUrlScenarios.map(({ id }) => [
      id,
      id.startsWith('unsafe-url-punycode')
        ? { 'mcp-url-elicitation/client/warn-suspicious-url': warns }
        : {
            'mcp-url-elicitation/client/refuse-unsafe-url': refuses,
            ...([
              'required-error-unsafe-url',
              'required-error-unsafe-second',
              'modern-unsafe-second',
              'unsafe-url-junk',
            ].includes(id)
              ? {}
              : { 'mcp-url-elicitation/client/accept-after-consent': accepts }),
          },
    ]),
  ),
  options,
)
