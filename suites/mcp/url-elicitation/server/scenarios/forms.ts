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
import { bringsUrl } from '../../elicitation.ts'
import { citeAskings, type Judge } from '../checks.ts'
import { callsOf, type Asking } from '../view.ts'

/** No form of the run has a field for what grants access. */
export const noSecretsByForm = noForm(
  ({ params }) => secretField(params),
  'a form asks for a secret',
  'no field for a secret',
)

/** No form of the run has a URL in one of its texts. */
export const noLinksInForms = noForm(
  ({ params }) => /https?:\/\/\S+/i.exec(textsOf(params).join('\n'))?.[0],
  'a form shows a link',
  'no URL in the texts of a form',
)

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
          callsOf(part).filter(({ connection }) => connection === detail['connection']),
        ),
    )
    .map(({ replies }) => replies[0]?.event)
    .find((event) => event !== undefined)
}

interface Field {
  readonly name: string
  readonly words: readonly string[]
}

/** The fields into which something can be typed. */
function fieldsOf(params: Readonly<Record<string, unknown>>): Field[] {
  const { properties } = membersOf(params['requestedSchema'])
  return Object.entries(membersOf(properties)).flatMap(([name, field]) => {
    const { type, title, description, enum: choices, oneOf } = membersOf(field)
    const isChoice = choices !== undefined || oneOf !== undefined
    if (isChoice || type === 'boolean' || type === 'array') return []
    return { name, words: [name, textIn(title), textIn(description)] }
  })
}

/** The field of a form that is for a secret: by its own words, or by the message, where it asks for one. */
function secretField(params: Readonly<Record<string, unknown>>): string | undefined {
  const fields = fieldsOf(params)
  const named = fields.find(({ words }) => words.map(inWords).some((each) => secret.test(each)))
  return (
    named?.name ?? (asksForSecret.test(textIn(params['message'])) ? fields[0]?.name : undefined)
  )
}

/** camelCase and snake_case as words. */
function inWords(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** What grants access, unless what follows says that it is something about it: the name of a key is none. */
const secretWords =
  '(?:password|passphrase|passwd|secret|credentials?|api[ -]?key|private[ -]?key|' +
  '(?:access|refresh|bearer|api|auth|personal)[ -]?token|authorization[ -]?code|(?:credit[ -]?)?card[ -]?number|cvv)' +
  '\\b(?![ -](?:names?|labels?|types?|hints?|expir\\w+|lifetimes?|scopes?|polic\\w+|managers?)\\b)'
const secret = new RegExp(`\\b${secretWords}`, 'i')
const asksForSecret = new RegExp(
  '(?<!\\b(?:not|never|don.t) )\\b(?:enter|paste|provide|supply|send|type in|give us|tell us)\\s+' +
    `(?:(?!names?\\b|labels?\\b|of\\b|for\\b)[\\w'’-]+\\s+){0,4}?${secretWords}`,
  'i',
)

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
