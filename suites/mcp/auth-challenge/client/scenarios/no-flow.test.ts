import { describeExamples } from '../../../../testing.ts'
import {
  noFlowExamples,
  options,
  recording,
  unchallenged,
  type Cases,
  type Recording,
} from '../testing.ts'
import { metadataChanged } from '../vocabulary.ts'
import {
  brokenMetadataScenarios,
  changedResource,
  foreignScheme,
  noFlowScenarios,
} from './no-flow.ts'

const resource = (): Cases => {
  const cases = noFlowExamples((t) => t.metadata())
  const unread = { 'the metadata was not fetched': recording().asked().window() }
  return { ...cases, inconclusive: { ...cases.inconclusive, ...unread } }
}

/** A user has denied, the metadata has changed, and they call again. */
const changed = () =>
  recording()
    .asked()
    .opened()
    .step('mark', { name: metadataChanged })
    .begin()
    .attempt()
    .challenged()

const changedResourceCases: Cases = {
  pass: { 'no flow began': changed().metadata().window() },
  violation: { 'a flow began': changed().metadata().opened() },
  inconclusive: {
    'nothing has changed': recording().asked(),
    'it goes on with what it read before': changed().opened().window(),
    'nobody watched': changed().metadata(),
  },
}

const trap = (reached: (t: Recording) => Recording): Cases => ({
  pass: { 'nothing was fetched': reached(recording().asked()).window() },
  violation: { 'it was fetched': reached(recording().asked()).trapped() },
  inconclusive: { ...unchallenged(), 'nobody watched': reached(recording().asked()) },
})

const behind = (): Cases => {
  const cases = trap((t) => t.metadata())
  const unread = { 'the metadata was not fetched': recording().asked().window() }
  return { ...cases, inconclusive: { ...cases.inconclusive, ...unread } }
}

const failed = () => recording().asked().metadata()

const broken = (): Cases => ({
  pass: { 'the next call is served': failed().begin().attempt().served() },
  violation: { 'no next call': failed().begin().gaveUp() },
  inconclusive: {
    ...unchallenged(),
    'the metadata was not fetched': recording().asked(),
    'no further call was asked for': failed(),
    'nobody waited': failed().begin(),
  },
})

const foreign = () => recording().client().begin().attempt().challenged(['Negotiate'])

describeExamples(
  [...noFlowScenarios, changedResource, ...brokenMetadataScenarios, foreignScheme],
  {
    'no-error-flag': { 'mcp-auth-challenge/client/require-error-flag': noFlowExamples() },
    'resource-elsewhere': {
      'mcp-auth-challenge/client/validate-resource': resource(),
      'mcp-auth-challenge/client/no-retry-without-token': {
        pass: { 'nothing came': recording().asked().metadata().window() },
        violation: { 'it came again': recording().asked().metadata().attempt().window() },
        inconclusive: { ...unchallenged(), 'nobody watched': recording().asked().metadata() },
      },
    },
    'resource-beside': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'resource-begins-alike': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'resource-below': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'resource-elsewhere-later': {
      'mcp-auth-challenge/client/validate-resource': changedResourceCases,
    },
    'resource-without-tls': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'resource-in-other-case': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'resource-missing': { 'mcp-auth-challenge/client/validate-resource': resource() },
    'insecure-metadata': { 'mcp-auth-challenge/client/no-ssrf': trap((t) => t) },
    'redirected-metadata': { 'mcp-auth-challenge/client/no-ssrf': behind() },
    'insecure-issuer': { 'mcp-auth-challenge/client/no-ssrf': behind() },
    'metadata-500': { 'mcp-auth-challenge/client/survive-bad-metadata': broken() },
    'metadata-malformed': { 'mcp-auth-challenge/client/survive-bad-metadata': broken() },
    'metadata-truncated': { 'mcp-auth-challenge/client/survive-bad-metadata': broken() },
    'foreign-scheme': {
      'mcp-auth-challenge/client/show-content': {
        pass: {
          'as it is': foreign().shown(),
          'in lines and colours': foreign()
            .shown('\u001b[1mPlease sign\u001b[0m')
            .shown('│ in to see your items (note of call-1).'),
          'in JSON': foreign().shown(
            '{"text": "Please sign in to see your items (note of call-1)."}',
          ),
        },
        violation: {
          'nothing was shown': foreign().gaveUp(),
          'something else was': foreign().shown('Error').gaveUp(),
        },
        inconclusive: { ...unchallenged(), 'nobody waited': foreign() },
        'not-applicable': { 'a flow began all the same': foreign().opened().gaveUp() },
      },
    },
  },
  options,
)
