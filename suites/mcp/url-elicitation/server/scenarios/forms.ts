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
  ({ params }) => fieldsOf(params).find(({ name, title }) => isSecret(name, title))?.name,
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
  readonly title: string
}

function fieldsOf(params: Readonly<Record<string, unknown>>): Field[] {
  const { properties } = membersOf(params['requestedSchema'])
  return Object.entries(membersOf(properties)).map(([name, field]) => ({
    name,
    title: textIn(membersOf(field)['title']),
  }))
}

/** Names of fields that hold what grants access, in words, camelCase or snake_case. */
function isSecret(...names: readonly string[]): boolean {
  const words = names.map((name) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())
  return words.some((name) =>
    /\b(password|passphrase|passwd|secret|credentials?|api[ _-]?key|private[ _-]?key|(access|refresh|bearer|api|auth|personal)[ _-]?token|authorization[ _-]?code|(credit[ _-]?)?card[ _-]?number|cvv)\b/.test(
      name.replaceAll('_', ' '),
    ),
  )
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  // The dialect of a schema is named by a URL that nobody is shown.
  return Object.entries(membersOf(value)).flatMap(([key, member]) =>
    key === '$schema' || key === '$id' ? [] : textsOf(member),
  )
}
