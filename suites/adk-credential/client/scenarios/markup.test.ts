import { address, markup } from '../../../oauth-client/scenarios/index.ts'
import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { markupScenarios } from './markup.ts'

const came = (page: string) => {
  const written = recording().asked().opened()
  return written.back(written.redirect({ error: 'page_probe', state: 's' }), page)
}

const cases: Cases = {
  pass: {
    'it is escaped': came(`<p>${markup.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</p>`),
    'nothing is printed': came('<p>That did not work.</p>'),
  },
  violation: {
    'as it came': came(`<p>${markup}</p>`),
    'in a link': came(`<a href="${address}">more</a>`),
    'out of an attribute': came(`<input value="${markup.replaceAll('<', '&lt;')}">`),
  },
  inconclusive: {
    'the browser did not come back': recording().asked().opened(),
    'another callback came': recording().asked().opened().back(),
  },
}

describeExamples(
  markupScenarios,
  Object.fromEntries(markupScenarios.map(({ id }) => [id, { 'oauth-client/escape-pages': cases }])),
  options,
)
