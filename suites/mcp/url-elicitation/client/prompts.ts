/** Judgements about what a prompt shows, as its user reads it. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  type Judgement,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import type { Frame } from '../../wire/frames.ts'
import { textIn } from '../../wire/values.ts'
import type { Judge } from './checks.ts'
import {
  callOf,
  isAbout,
  layout,
  promptIn,
  shows,
  textOf,
  type Asking,
  type CallView,
} from './view.ts'

/** Judges a prompt that was shown for an elicitation, as its user reads it. */
function readsPrompt(
  judge: (text: string, asking: Asking, t: Transcript, call: CallView) => Omitted | string,
): Judge {
  return (t) => {
    const call = callOf(t)
    const [asking] = call.askings
    const prompt = promptIn(call)
    if (!asking) return inconclusive('the client was not asked to open a URL')
    if (!prompt) return inconclusive('its user was asked nothing')
    // Who asks whether their user is sure may show it in either prompt.
    const further = call.prompts.filter(
      (each) =>
        isAfter(each, prompt) &&
        isAbout(each, textIn(asking.params['url'])) &&
        !call.opened.some((opened) => isAfter(each, opened)),
    )
    const shown = [prompt, ...further]
    const evidence = cite(asking.frame.event, ...shown)
    const found = judge(shown.map(textOf).join('\n'), asking, t, call)
    return typeof found === 'string'
      ? pass(found, evidence)
      : violation(found.message, found, evidence)
  }
}

interface Omitted {
  readonly message: string
  readonly expected: string
  readonly actual: string
}

export const showsFullUrl = readsPrompt((text, { params }) => {
  const url = textIn(params['url'])
  if (shows(text, url)) return 'the whole URL is shown'
  return {
    message: 'the prompt does not show the whole URL',
    expected: url,
    actual: text,
  }
})

/** Judges the prompts for a URL that was asked for after another one: what is shown is what its user would agree to. */
export function showsLatest(
  prompts: readonly Recorded<StepEvent>[],
  { url, asked }: { readonly url: string; readonly asked: Frame['event'] },
  earlier: string,
): Judgement {
  const about = (each: string) => prompts.find((prompt) => shows(textOf(prompt), beginningOf(each)))
  const own = about(url)
  const wrong = own ? undefined : about(earlier)
  if (!own && !wrong) return inconclusive('its user was asked nothing about the later URL')
  const text = prompts.map(textOf).join('\n')
  if (own && shows(text, url)) return pass('the whole URL is shown', cite(asked, own))
  return violation(
    wrong
      ? 'the prompt shows the URL that was asked for before'
      : 'the prompt does not show the whole URL',
    { expected: url, actual: text },
    cite(asked, ...prompts),
  )
}

/** What tells a URL from others of the same page. */
function beginningOf(url: string): string {
  return url.split('&')[0]!
}

/** The servers may stand on the same machine as the site: their addresses say nothing of where the URL leads. */
export const showsHost = readsPrompt((text, { params }, t) => {
  const { host, hostname } = new URL(textIn(params['url']))
  const { places } = t.steps('client')[0]?.detail ?? {}
  const servers = Array.isArray(places) ? places.map(textIn).flatMap(placesOf) : []
  const rest = servers.reduce((left, each) => left.replaceAll(each, ' '), text)
  if (shows(rest, hostname)) return 'the host is shown'
  return { message: 'the prompt does not show the host of the URL', expected: host, actual: text }
})

export const showsMessage = readsPrompt((text, { params }) => {
  const message = textIn(params['message'])
  if (flat(text).includes(flat(message))) return 'the message of the server is shown'
  return {
    message: 'the prompt does not show the message of the server',
    expected: message,
    actual: text,
  }
})

/** The server is named as it is configured, as it calls itself, or by its address. */
export const showsServer = (server: 0 | 1): Judge =>
  readsPrompt((text, _, t) => {
    const { names, places, called } = t.steps('client')[0]?.detail ?? {}
    const [own, other] = [server, 1 - server].map((index) => [
      ...((names as readonly string[][] | undefined)?.[index] ?? []),
      ...(server === index && server === 0 && typeof called === 'string' ? [called] : []),
      ...placesOf((places as readonly string[] | undefined)?.[index]),
    ])
    const [ofOwn, ofOther] = [placesIn(text, own ?? []), placesIn(text, other ?? [])]
    const [mine = -1, theirs = -1] = [ofOwn.at(-1), ofOther.at(-1)]
    // What is printed at the start, and lists both, says nothing of who asks.
    if (ofOwn.length > ofOther.length || mine > theirs) return 'the server is named'
    return {
      message:
        theirs < 0
          ? 'the prompt does not say which server asks'
          : mine < 0
            ? 'the prompt does not name the server that asks, but another one'
            : 'the prompt names two servers, and does not say which of them asks',
      expected: `one of ${show(own)}`,
      actual: text,
    }
  })

/** Where names end in a text, in any letters and however it is broken up. */
function placesIn(text: string, names: readonly string[]): number[] {
  const within = flat(text)
  const places: number[] = []
  for (const name of names.map(flat).filter(Boolean))
    for (let at = within.indexOf(name); at >= 0; at = within.indexOf(name, at + 1))
      places.push(at + name.length)
  return places.toSorted((a, b) => a - b)
}

/** A text without the layout of a terminal, in small letters. */
function flat(text: string): string {
  return text.replace(layout, '').toLowerCase()
}

function placesOf(url: string | undefined): string[] {
  return url !== undefined && URL.canParse(url) ? [new URL(url).host] : []
}
