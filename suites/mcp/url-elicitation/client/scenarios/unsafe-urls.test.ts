import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases } from '../testing.ts'
import { unsafeUrlScenarios } from './unsafe-urls.ts'

const script = 'javascript:alert(1)'
const asked = () => recording().asked({ url: script })

const refuses: Cases = {
  pass: {
    'an error': asked().refuse().window(),
    'cancelled for the user': asked().answer({ action: 'cancel' }).window(),
    'the user agrees, and it is not opened': asked().prompt().decide().window(),
    'the call ends with it': recording().client().begin().attempt().input().window(),
  },
  violation: {
    'it is opened': asked().prompt().decide().opened(script),
    'it is opened at once': asked().opened(script).window(),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody watched': asked().refuse(),
    'nothing came of it': asked().window(),
  },
  'not-applicable': { 'a client that opens nothing': [asked(), { opens: false }] },
}

const punycode = 'https://xn--80ak6aa92e.example/connect'
const suspicious = () => recording().asked({ url: punycode })
const usual = recording().asked().prompt()
const withNumber = () =>
  recording()
    .asked()
    .prompt(
      `${promptText(urlOf())}\nAnswer: respond elicitation 12 \u2819 Elicitation ID Request. For a call of a tool.`,
    )

const warns: Cases = {
  pass: {
    'a sentence': [
      suspicious().prompt(`${promptText(punycode)} Careful: foreign letters!`),
      {},
      usual,
    ],
    'a sign': [suspicious().prompt(`\u26a0 ${promptText(punycode)}`), {}, usual],
    'it is refused': [suspicious().refuse(), {}, usual],
    'it is cancelled': [suspicious().answer({ action: 'cancel' }), {}, usual],
  },
  violation: {
    'the same prompt': [suspicious().prompt(promptText(punycode)), {}, usual],
    'the same prompt in pieces': [
      suspicious().prompt(promptText(punycode).replace('example', 'exam\nple')),
      {},
      usual,
    ],
    'another server of the same prompt': [
      recording()
        .client({ url: {} }, { names: [['warehouse-abcdef', 'Server warehouse-abcdef']] })
        .begin()
        .attempt()
        .elicit({ url: punycode })
        .prompt(promptText(punycode, 'Server warehouse-abcdef')),
      {},
      usual,
    ],
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
        [suspicious().prompt(`${promptText(punycode)}\n${line}`), {}, withNumber()],
      ]),
    ),
  },
  inconclusive: {
    'nothing was asked': recording().client().begin().attempt(),
    'nobody was asked': suspicious(),
    'nothing to compare with': [suspicious().prompt(promptText(urlOf())), {}, recording()],
    'no control': suspicious().prompt(),
  },
}

describeExamples(
  unsafeUrlScenarios,
  Object.fromEntries(
    unsafeUrlScenarios.map(({ id }) => [
      id,
      id === 'unsafe-url-punycode'
        ? { 'mcp-url-elicitation/client/warn-suspicious-url': warns }
        : { 'mcp-url-elicitation/client/refuse-unsafe-url': refuses },
    ]),
  ),
  options,
)
