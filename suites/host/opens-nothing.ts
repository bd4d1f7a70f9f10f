/** What must not be opened is not, whoever asked for it and whatever the user said. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  watched,
  type Judgement,
  type Recorded,
  type RecordedEvent,
  type StepEvent,
  type Transcript,
} from '../../harness/engine/index.ts'

/** What came of a request that something be opened, in the terms of the protocol that carried it. */
export interface Request {
  /** What asked for it; none where nothing did. */
  readonly asking: RecordedEvent | undefined
  /** The first thing that was opened. */
  readonly opened: Recorded<StepEvent> | undefined
  /** What shows that the host went on with it: its answer, or the decision of its user. */
  readonly answer: RecordedEvent | undefined
  /** Whether the protocol lets the host end with it in silence. */
  readonly needsNoAnswer?: boolean
}

/** What is said of it. */
export interface Words {
  readonly violation: string
  readonly expected: string
  readonly pass: string
}

/** Judges that nothing was opened. */
export function opensNothing(
  t: Transcript,
  { asking, opened, answer, needsNoAnswer = false }: Request,
  words: Words,
): Judgement {
  if (!asking) return inconclusive('the client was not asked to open it')
  if (opened) {
    const difference = { expected: words.expected, actual: show(opened.detail['url']) }
    return violation(words.violation, difference, cite(asking, opened))
  }
  if (watched(t, asking) === undefined)
    return inconclusive('the run did not watch what happened next')
  if (!answer && !needsNoAnswer)
    return inconclusive('the client neither asked its user nor answered')
  return pass(words.pass, cite(asking, answer))
}

/** What is said where it is no web page. */
export const noWebPage: Words = {
  violation: 'the client opened something that is not a web page',
  expected: 'a refusal',
  pass: 'it was not opened',
}
