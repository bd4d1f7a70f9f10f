/** Judgements about the forms that a server has shown. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { partsOf } from '../../../../oauth-client/parts.ts'
import { membersOf, textIn } from '../../../wire/values.ts'
import { originOf } from '../../../../../harness/parties/deployment/origins.ts'
import { bringsUrl } from '../../elicitation.ts'
import { citeAskings, type Judge } from '../checks.ts'
import { callsOf, type Asking, refusedHandshake } from '../view.ts'
import { asksForSecret, isForSecret } from './secret-words.ts'

/** No form of the run has a field for what grants access. */
export const noSecretsByForm = noForm(
  ({ params }) => secretField(params),
  'a form asks for a secret',
  'no field for a secret',
)

/** No form of the run has a URL in one of its texts that leads its user somewhere; what shows how to fill it in does not. */
export const noLinksInForms: Judge = (t, context) => {
  const visited = (['mcp', 'browser', 'provider'] as const).flatMap((each) => t.requests(each))
  const origins = new Set(visited.map(({ url }) => originOf(url)))
  return noForm(
    ({ params }) => linksIn(textsOf(params).join('\n')).find((link) => leadsOn(link, origins))?.url,
    'a form shows a link',
    'no URL in the texts of a form that its user is to open',
  )(t, context)
}

interface LinkInText {
  readonly before: string
  readonly url: string
}

function linksIn(text: string): LinkInText[] {
  return [...text.matchAll(/https?:\/\/[^\s"'<>)\]]+/gi)].map(({ index, 0: url }) => ({
    before: text.slice(0, index),
    url,
  }))
}

/** Whether it is a place of this run, or its reader is told to go there; an example is neither. */
function leadsOn({ before, url }: LinkInText, origins: ReadonlySet<string>): boolean {
  if (isExample.test(before)) return false
  return origins.has(originOf(url)) || isInvitation.test(before)
}

const isExample = /(?:\be\.?g\.?|\bexamples?|\bsuch as|\blike)[\s,:;"'`(]*$/i
const isInvitation =
  /\b(?:open|visit|go to|click|follow|browse to|(?:log|sign) in (?:at|on|to)|authorize (?:at|on))[\s,:;"'`(]*(?:(?:on|the|this|link|page|url|here|at)[\s,:;"'`(]+){0,4}$/i

/** Nothing of the kind stands in a form; that none is sent is as good, since the occasion was there. */
function noForm(
  find: (form: Asking) => string | undefined,
  message: string,
  expected: string,
): Judge {
  return (t) => {
    const calls = [...partsOf(t).values()].flatMap(callsOf)
    const forms = calls.flatMap(({ askings }) => askings).filter((asking) => !bringsUrl(asking))
    for (const asking of forms) {
      const actual = find(asking)
      if (actual !== undefined)
        return violation(message, { expected, actual: show(actual) }, citeAskings(asking))
    }
    const answered = formOnly(t)
    if (forms.length === 0 && !answered)
      return inconclusive('no call of a client that shows forms was answered')
    return pass(`${forms.length} forms`, [...citeAskings(...forms.slice(0, 3)), ...cite(answered)])
  }
}

/** The answer to a client that can show forms and nothing else: who needs something could have asked there. */
function formOnly(t: Transcript): RecordedEvent | undefined {
  return [...partsOf(t).values()]
    .flatMap((part) =>
      part
        .steps('connect')
        .filter(({ detail }) => membersOf(membersOf(detail['capabilities'])['elicitation'])['form'])
        .flatMap(({ detail }) =>
          callsOf(part)
            .filter(({ connection }) => connection === detail['connection'])
            .map(({ replies, connection }) => replies[0] ?? refusedHandshake(part, connection)),
        ),
    )
    .map((answer) => answer?.event)
    .find((event) => event !== undefined)
}

interface Field {
  readonly name: string
  /** Whether it takes a number and nothing else. */
  readonly counts: boolean
  readonly words: readonly string[]
}

/** The fields into which something can be typed. */
function fieldsOf(params: Readonly<Record<string, unknown>>): Field[] {
  const { properties } = membersOf(params['requestedSchema'])
  return Object.entries(membersOf(properties)).flatMap(([name, field]) => {
    const { type, title, description, enum: choices, oneOf } = membersOf(field)
    const isChoice = choices !== undefined || oneOf !== undefined
    if (isChoice || type === 'boolean' || type === 'array') return []
    const counts = type === 'integer' || type === 'number'
    return { name, counts, words: [name, textIn(title), textIn(description)] }
  })
}

/** The field of a form that is for a secret: by its own words, or by the message, where it asks for one. */
function secretField(params: Readonly<Record<string, unknown>>): string | undefined {
  const fields = fieldsOf(params)
  const named = fields.find(({ words, counts }) => isForSecret(words, counts))
  return named?.name ?? (asksForSecret(textIn(params['message'])) ? fields[0]?.name : undefined)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return Object.entries(membersOf(value)).flatMap(([key, member]) =>
    noTexts.has(key) ? [] : textsOf(member),
  )
}

/** The dialect of a schema, which nobody is shown, and values to be changed or chosen, which lead nowhere. */
const noTexts: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'default',
  'enum',
  'const',
  'pattern',
])
