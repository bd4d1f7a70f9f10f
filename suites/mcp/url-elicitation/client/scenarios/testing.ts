/** Examples that several scenarios share: the same check in another situation. */

import { promptText, recording, urlOf, type Cases, type Recording } from '../testing.ts'

/** How the URL comes: the same recordings up to there. */
export type Way = () => Recording

export const byRequest: Way = () => recording().asked()
export const byError: Way = () => recording().client().begin().attempt().required()
export const byInput: Way = () => recording().client().begin().attempt().input()

const both = 'warehouse-1, notebook-1'
const nothing = { 'nothing was asked': recording().client().begin().attempt() }
const unshown = (way: Way) => ({ ...nothing, 'nobody was asked': way() })

export const fullUrl = (way: Way): Cases => ({
  pass: {
    'as it is': way().prompt(),
    apart: way().prompt('Open it?', urlOf()),
    'broken up by lines': way().prompt(
      `╭─╮\n│ ${urlOf().slice(0, 30)} │\n│ ${urlOf().slice(30)} │`,
    ),
  },
  violation: {
    'without its query': way().prompt(promptText(urlOf().split('?')[0])),
    'shortened in the middle': way().prompt('http://127.0.0.1:4200/con…=a%2Fb'),
    decoded: way().prompt(decodeURIComponent(promptText())),
  },
  inconclusive: unshown(way),
})

export const server = (way: Way): Cases => ({
  pass: {
    'by its configured name': way().prompt(),
    'in capitals': way().prompt('WAREHOUSE-1 asks'),
    'by its title': way().prompt('Server warehouse-1 asks'),
    'by its address': way().prompt('127.0.0.1:4100 asks'),
    'below a list of all servers': way().prompt(`Servers: ${both}\nwarehouse-1 asks. [y/n]`),
    'above a list of all servers': way().prompt(`warehouse-1 asks. [y/n]\nServers: ${both}`),
  },
  violation: {
    'not at all': way().prompt(promptText(urlOf(), 'A server')),
    'by no more than a list of all servers': way().prompt(`Servers: ${both}\nOpen it? [y/n]`),
    'another one': way().prompt(promptText(urlOf(), 'notebook-1')),
  },
  inconclusive: unshown(way),
})

export const consent = (way: Way): Cases => ({
  pass: {
    'opened after consent': way().prompt().decide().opened(),
    'never opened, and somebody watched': way().prompt().window(),
    'its own page before that': way().opened('http://localhost:6274/').prompt().decide().opened(),
    'refused, and somebody watched': way().prompt().decide('decline').window(),
  },
  violation: {
    'before the prompt': way().opened().prompt().decide(),
    'before consent': way().prompt().opened().decide(),
    'by way of another site': way()
      .opened(`https://links.example/?to=${encodeURIComponent(urlOf())}`)
      .prompt(),
    'after a refusal': way().prompt().decide('decline').opened(),
    'once more after consent': way().prompt().opened().decide().opened(),
    'by a client that says it opens nothing': [way().opened().prompt(), { opens: false }],
  },
  inconclusive: {
    ...unshown(way),
    'nobody watched': way().prompt(),
    'nothing was opened at all': way().prompt().decide(),
  },
  'not-applicable': {
    'a client that opens nothing': [way().prompt().decide(), { opens: false }],
  },
})

export const prefetch = (way: Way): Cases => ({
  pass: {
    'nothing came': way().prompt().decide(),
    'a browser of its own came after consent': way()
      .prompt()
      .decide()
      .opened(urlOf(), 'client')
      .visited(),
    'nobody agreed, and somebody watched': way().prompt().window(),
  },
  violation: {
    'the page': way().visited().prompt(),
    'an icon, while the user reads': way().prompt().visited('/favicon.ico').decide(),
    'the page, before it is opened': way().prompt().decide().visited().opened(),
    'the page, when it is opened': way().prompt().decide().opened().visited(),
    'the page, by a client that opens nothing': [
      way().prompt().decide().visited(),
      { opens: false },
    ],
  },
  inconclusive: { ...nothing, 'nobody watched': way().prompt() },
})

export const exactUrl = (way: Way): Cases => ({
  pass: { 'as it came': way().prompt().decide().opened() },
  violation: {
    decoded: way().prompt().decide().opened(decodeURIComponent(urlOf())),
    'cut off': way().prompt().decide().opened(urlOf().split('&')[0]),
  },
  inconclusive: { ...nothing, 'nothing was opened': way().prompt().decide() },
  'not-applicable': {
    'a client that opens nothing': [way().prompt().decide(), { opens: false }],
  },
})
