import { describeExamples } from '../../../../testing.ts'
import { options, promptText, recording, urlOf, type Cases } from '../testing.ts'
import { accept, secondServer } from './accept.ts'
import { byRequest, consent, exactUrl, fullUrl, prefetch, server } from './testing.ts'

const declares: Cases = {
  pass: {
    'URL mode': recording().client({ url: {} }),
    'both modes': recording().client({ form: {}, url: {} }),
    'not on a connection that probes': recording().client(null).client(),
    'both modes, and more': recording().client({ form: { applyDefaults: true }, url: {}, x: 1 }),
  },
  violation: {
    'a mode that there is not': recording().client({ urls: {} }),
    'no object': recording().client(true),
    'a mode that is no object': recording().client({ url: true, form: 'yes' }),
  },
  inconclusive: {
    'no client has come': recording(),
    'it declares nothing of the kind': recording().client(null),
    'forms alone': recording().client({}),
    'forms alone, by name': recording().client({ form: {} }),
  },
}

const host: Cases = {
  pass: {
    'in the URL': recording().asked().prompt(),
    apart: recording().asked().prompt('It leads to 127.0.0.1.'),
    'beside the address of the server': recording()
      .asked()
      .prompt('127.0.0.1:4100 asks for 127.0.0.1:4200'),
  },
  violation: {
    'not at all': recording().asked().prompt('Open the page?'),
    'the address of the server alone': recording().asked().prompt('127.0.0.1:4100 asks'),
  },
  inconclusive: { 'nobody was asked': recording().asked(), 'nothing was': recording().client() },
}

const message: Cases = {
  pass: {
    'as it is': recording().asked().prompt(),
    'broken up': recording().asked().prompt('Connect your\n  account?'),
  },
  violation: { 'not at all': recording().asked().prompt(`warehouse-1: ${urlOf()}`) },
  inconclusive: { 'nobody was asked': recording().asked(), 'nothing was': recording().client() },
}

const accepts: Cases = {
  pass: {
    'after the user': recording().accepted(),
    'not at all, while somebody watched': recording().asked().prompt().window(),
  },
  violation: {
    'before the user': recording().asked().prompt().answer().decide(),
    'without anybody': recording().asked().answer(),
    'against the user': recording().asked().prompt().decide('decline').answer(),
    'something else': recording().agreed().answer({ action: 'cancel' }),
    'an error': recording().agreed().refuse(-32603),
  },
  inconclusive: {
    'nothing was asked': recording().client(),
    'nobody watched': recording().asked().prompt(),
    'no answer': recording().agreed(),
  },
}

const content: Cases = {
  pass: { 'no content': recording().accepted() },
  violation: { content: recording().agreed().answer({ action: 'accept', content: {} }) },
  inconclusive: {
    'nothing was accepted': recording().asked().prompt().decide('decline'),
    'content of a refusal': recording().agreed().answer({ action: 'decline', content: {} }),
  },
}

const other = (name: string, shown = name) => recording().asked().prompt(promptText(urlOf(), shown))

describeExamples(
  [accept, secondServer],
  {
    accept: {
      'mcp-url-elicitation/client/declare-mode': declares,
      'mcp-url-elicitation/client/show-full-url': fullUrl(byRequest),
      'mcp-url-elicitation/client/show-host': host,
      'mcp-url-elicitation/client/show-server': {
        ...server(byRequest),
        pass: {
          ...server(byRequest).pass,
          'as its vendor says that it is called': recording()
            .client({ url: {} }, { called: 'my items' })
            .begin()
            .attempt()
            .elicit()
            .prompt('My items asks'),
        },
      },
      'mcp-url-elicitation/client/show-message': message,
      'mcp-url-elicitation/client/consent-before-opening': consent(byRequest),
      'mcp-url-elicitation/client/no-prefetch': prefetch(byRequest),
      'mcp-url-elicitation/client/open-exact-url': exactUrl(byRequest),
      'mcp-url-elicitation/client/accept-after-consent': accepts,
      'mcp-url-elicitation/client/accept-without-content': content,
    },
    'second-server': {
      'mcp-url-elicitation/client/show-server': {
        pass: { 'the second': other('notebook-1') },
        violation: { 'the first': other('warehouse-1'), none: other('A server') },
        inconclusive: { 'nobody was asked': recording().asked() },
      },
    },
  },
  options,
)
