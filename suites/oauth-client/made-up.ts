/**
 * Whether a result reads like one of the tool's own although the operation cannot have been carried out: it is built as
 * that of the undisturbed call, or has a member that claims success, and says nothing else. Texts are never compared,
 * since an error may be told in any words.
 */

import { jsonIn } from '../../harness/engine/index.ts'

/** Compares the result of a call that failed with that of the undisturbed one, both as JSON. */
export function readsAsServed(result: string, served: string): boolean {
  const given = parsed(result)
  if (!isContainer(given)) return false
  const known = parsed(served)
  if (isEmpty(given)) return Array.isArray(given) && Array.isArray(known)
  const [rest, real] = [withoutClaims(given), withoutClaims(known)]
  return isEmpty(rest) || (holdsContainer(real) && isBuiltLike(rest, real, false))
}

/** What ADK Authentication, Return Tool Result, puts beside the data of a success, and others in its place. */
function claimsSuccess([name, value]: [string, unknown]): boolean {
  if (/^(ok|success)$/i.test(name)) return value === true
  if (/^(error|isError|is_error)$/i.test(name)) return !value
  return name === 'status' && /^(ok|success|succeeded|completed)$/i.test(String(value))
}

/** A value without the members that claim success, those of data apart; a member that has nothing else goes with them. */
function withoutClaims(value: unknown): unknown {
  const plain = parsed(value)
  if (!isContainer(plain) || Array.isArray(plain)) return plain
  return Object.fromEntries(
    Object.entries(plain).flatMap(([name, each]): [string, unknown][] => {
      if (claimsSuccess([name, each])) return []
      const rest = withoutClaims(each)
      return isEmpty(rest) && !isEmpty(parsed(each)) ? [] : [[name, rest]]
    }),
  )
}

/** A text that is JSON of something with members is as good as that. */
function parsed(value: unknown): unknown {
  const isMade = typeof value === 'string' && /^\s*[[{]/.test(value)
  return isMade ? (jsonIn(value) ?? value) : value
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isEmpty(value: unknown): boolean {
  return isContainer(value) && Object.values(value).length === 0
}

/** Data has members of its own; what is but a text, or texts under names, may say anything. */
function holdsContainer(value: unknown): boolean {
  return isContainer(value) && Object.values(value).some((each) => isContainer(parsed(each)))
}

/**
 * `inData`: within lists values differ from call to call; beside them, and where an entry has nothing else, one that
 * differs says how it went. So does a text of a list that is called after what it says.
 */
function isBuiltLike(given: unknown, real: unknown, inData: boolean, called = ''): boolean {
  const [one, other] = [parsed(given), parsed(real)]
  if (isEmpty(one)) return isContainer(other)
  if (Array.isArray(one)) {
    const isData = !told.test(called) || one.some(isContainer)
    return (
      Array.isArray(other) &&
      one.every((each) => other.some((known) => isBuiltLike(each, known, isData)))
    )
  }
  if (!isContainer(one) || !isContainer(other) || Array.isArray(other))
    return inData ? typeof one === typeof other && !isContainer(other) : one === other
  const [members, known] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    members.length === known.size &&
    members.every(
      ([name, each]) =>
        known.has(name) &&
        ((Number(each) > 1 && counts(each, one) && counts(known.get(name), other)) ||
          isBuiltLike(
            each,
            known.get(name),
            inData && members.length > 1 && !tells.test(name),
            name,
          )),
    )
  )
}

/** A number that says how much is in a list beside it says nothing more than that list; 0 and 1 may be a no and a yes. */
function counts(value: unknown, beside: object): boolean {
  return Object.values(beside).some((each) => {
    const list = parsed(each)
    return Array.isArray(list) && list.length === value
  })
}

/** Members that say how it went wherever they stand, as those of an entry of a log, or of content that is a list of texts. */
const tells =
  /^(text|message|msg|detail|reason|error|result|output|body|status|state|code|outcome)/i

/** Lists whose texts say how it went; in an entry of data such a member may be data. */
const told = new RegExp(`${tells.source}|^(notes?|logs?|warnings?|contents?)$`, 'i')
