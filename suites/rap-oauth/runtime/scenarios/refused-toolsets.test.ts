import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { refused, refusedToolsetScenarios } from './refused-toolsets.ts'

const urls = ['http://127.0.0.1:4400', 'http://127.0.0.1:4401/notes']

/** The toolsets change after the first conversation, and this many of them are fetched for the second one. */
const fetched = (count: number): Recording => {
  const t = recording().running().result().given().step('toolsets-altered', { urls })
  return urls
    .slice(0, count)
    .reduce(
      (rest, url) => rest.exchange('discovery', `${url}/.well-known/rap-toolset`, ''),
      t.on(2),
    )
}

const unheard = 'the model was not asked'

function cases(count: number): Cases {
  return {
    pass: {
      'nothing of them': fetched(count).ask(),
      'what is known from before': fetched(count).ask().invoke(),
      'no conversation begins': fetched(count).on(1).gaveUp(unheard),
    },
    violation: {
      'all the same': fetched(count).model({ system: refused }),
      'at a later turn': fetched(count).ask().model({ system: refused }),
    },
    inconclusive: {
      'not fetched': fetched(count - 1).ask(),
      'nothing was altered': recording().running().ask(),
      'the model was not waited for': fetched(count),
    },
  }
}

const invalid = { 'rap-oauth/runtime/reject-invalid-toolset': cases(1) }

describeExamples(
  refusedToolsetScenarios,
  {
    'toolset-tool-without-schema': invalid,
    'toolset-tool-without-description': invalid,
    'toolset-tool-with-invalid-schema': invalid,
    'toolset-tool-named-twice': invalid,
    'toolset-tool-name-with-blank': invalid,
    'toolset-tool-name-too-long': invalid,
    'toolset-without-name': invalid,
    'toolset-endpoint-no-url': invalid,
    'toolsets-with-one-name': { 'rap-oauth/runtime/reject-colliding-tools': cases(2) },
  },
  options,
)
