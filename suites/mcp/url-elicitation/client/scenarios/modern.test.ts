import { describeExamples } from '../../../../testing.ts'
import { inputKey } from '../asking.ts'
import { options, recording, type Cases } from '../testing.ts'
import { modernScenarios } from './modern.ts'
import { byInput, consent, exactUrl, fullUrl, prefetch, server } from './testing.ts'

const inMeta = (elicitation: unknown) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': elicitation === undefined ? {} : { elicitation },
  },
})
const url = { url: {} }
const calling = (...declared: unknown[]) =>
  declared.reduce<ReturnType<typeof recording>>(
    (all, each) => all.attempt(inMeta(each)),
    recording().begin(),
  )

const declares: Cases = {
  pass: {
    'with every request': calling(url, url),
    'not with a probe': recording()
      .post({ id: 'd', method: 'server/discover', params: inMeta(undefined) }, '')
      .begin()
      .attempt(inMeta(url)),
  },
  violation: {
    'not with the retry': calling(url, undefined),
    'not with the first': calling(undefined, url),
    'no capabilities at all': recording()
      .begin()
      .attempt(inMeta(url))
      .attempt({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
    'a mode that there is not': calling({ links: {} }),
  },
  inconclusive: {
    'nothing of the kind': calling(undefined, undefined),
    'nobody came': recording(),
    'forms alone': calling({}, {}),
  },
}

const accepts: Cases = {
  pass: { 'after the user': byInput().prompt().decide().retry() },
  violation: {
    'before the user': byInput().prompt().retry().decide(),
    'something else': byInput()
      .prompt()
      .decide()
      .retry({}, { [inputKey]: { action: 'cancel' } }),
  },
  inconclusive: { 'no retry': byInput().prompt().decide(), 'nobody watched': byInput().prompt() },
}

const noRetry = {
  'nothing was asked': recording().client().begin().attempt(),
  'no retry': byInput().prompt().decide(),
}
const stateless = () => recording().client().begin().attempt().input({})

const echoes: Cases = {
  pass: {
    'as it was': byInput().retry(),
    'none where there was none': stateless().retry({ requestState: undefined }),
  },
  violation: {
    altered: byInput().retry({ requestState: 's ' }),
    'left out': byInput().retry({ requestState: undefined }),
    invented: stateless().retry(),
  },
  inconclusive: noRetry,
}

/** Asked for input with a state that is empty. */
const emptyState = () => recording().client().begin().attempt().input({ requestState: '' })

const echoesNothing: Cases = {
  pass: { 'as it was': emptyState().retry({ requestState: '' }) },
  violation: {
    'left out': emptyState().retry({ requestState: undefined }),
    'another one': emptyState().retry(),
  },
  inconclusive: noRetry,
}

/** A second call, which is asked for input without a state. */
const withState = () => recording().client().begin().attempt().input().prompt().decide().retry()
const secondStateless = () => withState().begin().attempt().input({})

const keepsNone: Cases = {
  pass: { 'none where there was none': secondStateless().retry({ requestState: undefined }) },
  violation: {
    'that of another call': secondStateless().retry(),
    'an empty one': secondStateless().retry({ requestState: '' }),
  },
  inconclusive: {
    'nothing was asked': withState().begin().attempt(),
    'no retry': secondStateless(),
    'no second call': withState(),
  },
}

const args = { arguments: { note: 'n' } }
const withArguments = () => recording().client().begin().attempt(args).input()

const repeats: Cases = {
  pass: { 'the same arguments': withArguments().retry(args), 'no arguments': byInput().retry() },
  violation: {
    'without arguments': withArguments().retry(),
    'with others': withArguments().retry({ arguments: { note: 'm' } }),
    'of another tool': withArguments().retry({ ...args, name: 'list_notes' }),
  },
  inconclusive: noRetry,
}

const newId: Cases = {
  pass: { 'another one': byInput().retry() },
  violation: { 'the same': byInput().attempt({ inputResponses: {} }, 1) },
  inconclusive: noRetry,
}

const keys: Cases = {
  pass: { 'those of the requests': byInput().retry() },
  violation: {
    'in lower case': byInput().retry({}, { [inputKey.toLowerCase()]: { action: 'accept' } }),
    'one too many': byInput().retry({}, { [inputKey]: { action: 'accept' }, extra: {} }),
    'no answers': byInput().attempt({ requestState: 's' }),
    'a list': byInput().attempt({ inputResponses: [{ action: 'accept' }] }),
  },
  inconclusive: noRetry,
}

const another = () => byInput().retry().begin()

const inRetryOnly: Cases = {
  pass: { 'nothing of it': another().attempt() },
  violation: {
    'the state': another().attempt({ requestState: 's' }),
    'the answers': another().attempt({ inputResponses: {} }),
    'the state, with another request': byInput()
      .retry()
      .post({ id: 'l', method: 'tools/list', params: { requestState: 's' } }, ''),
  },
  inconclusive: { ...noRetry, 'no other call': byInput().retry() },
}

describeExamples(
  modernScenarios,
  {
    modern: {
      'mcp-url-elicitation/client/declare-mode': declares,
      'mcp-url-elicitation/client/show-full-url': fullUrl(byInput),
      'mcp-url-elicitation/client/show-server': server(byInput),
      'mcp-url-elicitation/client/consent-before-opening': consent(byInput),
      'mcp-url-elicitation/client/no-prefetch': prefetch(byInput),
      'mcp-url-elicitation/client/open-exact-url': exactUrl(byInput),
      'mcp-url-elicitation/client/accept-after-consent': accepts,
      'mcp-url-elicitation/client/echo-state': echoes,
      'mcp-url-elicitation/client/repeat-request': repeats,
      'mcp-url-elicitation/client/new-id': newId,
      'mcp-url-elicitation/client/answer-keys': keys,
      'mcp-url-elicitation/client/state-only-in-retry': inRetryOnly,
    },
    'modern-empty-state': { 'mcp-url-elicitation/client/echo-state': echoesNothing },
    'modern-without-state': { 'mcp-url-elicitation/client/echo-state': keepsNone },
  },
  options,
)
