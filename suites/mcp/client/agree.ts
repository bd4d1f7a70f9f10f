/** The user agrees to a URL where they are asked about it, and once more where the client asks whether they are sure. */

import {
  isAfter,
  type Patience,
  type Recorded,
  type StepEvent,
} from '../../../harness/engine/index.ts'
import type { Waits } from './waits.ts'

type Step = Recorded<StepEvent>

/** A call whose user may be asked whether a URL is to be opened. */
interface Asking {
  /** Waits until its user is asked, or will not be. */
  settled(): Promise<string>
  /** Answers the first prompt, or another one. */
  decide(action: 'accept', prompt?: Step): Promise<void>
}

interface Prompted {
  readonly prompts: readonly Step[]
  readonly decisions: readonly Step[]
}

export interface AgreeParts<View> {
  readonly patience: Patience
  readonly waits: Waits<View>
  /** Whether the client opens URLs by itself. */
  readonly opens: boolean
  /** What shows that nothing more will be opened. */
  readonly isOver: (call: View) => unknown
}

export async function agreeIfAsked<View extends Prompted & { readonly opened: readonly unknown[] }>(
  call: Asking,
  parts: AgreeParts<View>,
): Promise<void> {
  if ((await call.settled()) !== 'prompted') return
  const { patience, waits, opens, isOver } = parts
  if (!opens) return call.decide('accept')
  await agree<View, unknown>(call, (view) => view.opened[0] ?? isOver(view), {
    waits,
    until: (find) => waits.look(patience.within('opened'), find),
  })
}

/** Prompts that the user answers for one URL at most. */
const mostPrompts = 3

/** Milliseconds in which a client that has drawn a prompt once more does what it was allowed. */
const redrawing = 1000

export interface AgreeWaits<View> {
  readonly waits: Waits<View>
  /** Waits as long as the effect of a consent may take; throws where that is too long, or finds nothing. */
  readonly until: <T>(find: (view: View) => T | undefined) => Promise<T | undefined>
}

/** The user agrees, and once more to a client that then waits for another answer, until something is found. */
export async function agree<View extends Prompted, T>(
  call: Pick<Asking, 'decide'>,
  find: (view: View) => T | undefined,
  waiting: AgreeWaits<View>,
): Promise<T | undefined> {
  await call.decide('accept')
  return confirm(call, find, waiting)
}

/** Waits until something is found; who has agreed says so again where the client then waits for that. */
export async function confirm<View extends Prompted, T>(
  call: Pick<Asking, 'decide'>,
  find: (view: View) => T | undefined,
  { waits, until }: AgreeWaits<View>,
): Promise<T | undefined> {
  for (;;) {
    const isFound = (view: View): true | undefined => (find(view) === undefined ? undefined : true)
    const next = await until((view) => isFound(view) ?? furtherPrompt(view))
    const found = await waits.look(redrawing, find)
    if (found !== undefined || next === undefined || next === true) return found
    await call.decide('accept', next)
  }
}

/** The prompt that shows a URL, if one does: where the first does not, the user agrees to be shown more. */
export async function shownPrompt<View extends Prompted>(
  call: Pick<Asking, 'decide'> & { view(): View },
  shows: (prompt: Step) => boolean,
  { waits, patience }: Pick<AgreeParts<View>, 'waits' | 'patience'>,
): Promise<Step | undefined> {
  const shown = ({ prompts }: View): Step | undefined => prompts.find(shows)
  if (shown(call.view())) return shown(call.view())
  await call.decide('accept')
  return waits.look(patience.within('prompt'), shown)
}

/** A prompt that came after the last answer. */
function furtherPrompt({ prompts, decisions }: Prompted): Step | undefined {
  if (decisions.length >= mostPrompts) return undefined
  return prompts.find((prompt) => isAfter(prompt, decisions.at(-1)))
}
