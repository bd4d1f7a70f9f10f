import {
  cite,
  inconclusive,
  notApplicable,
  NotOffered,
  pass,
  show,
  Unreached,
  violation,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { opensNothing } from '../../../../host/opens-nothing.ts'
import { unlessUnreached } from '../../../../oauth-client/scenarios/index.ts'
import { serverFrames, type Frame } from '../../../wire/frames.ts'
import { membersOf, textIn } from '../../../wire/values.ts'
import { knowsElicitation, undeclaredBy } from '../capabilities.ts'
import { check, unanswered, type Judge } from '../checks.ts'
import { needsHandshake, needsModern, needsOpening } from '../conditions.ts'
import { callOf, endedAfter } from '../view.ts'
import { control, scenario, type ClientScenario } from './define.ts'

/** MCP 2025-11-25, Changelog: URL mode came, and with it the member `mode`. */
const firstWithModes = '2025-11-25'

const requestedSchema = {
  type: 'object',
  properties: { nickname: { type: 'string', title: 'Nickname' } },
}

/** Invalid params (JSON-RPC 2.0 §5.1). */
const invalidParams = -32602

const refuses: Judge = (t) => {
  const call = callOf(t)
  const [asking] = call.askings
  if (!asking) return inconclusive('nothing was asked')
  const [reply] = call.replies
  if (!knowsElicitation(t)) return inconclusive('the client declares no elicitation at all')
  if (serverFrames(t).some(agreesOnNone)) {
    return reply?.error === undefined
      ? inconclusive(`before ${firstWithModes} a request has no mode, and this one was not refused`)
      : pass('it was refused; before there were modes no error was named', cite(reply.event))
  }
  const message = `a mode that was not declared, ${show(asking.params['mode'])}, was not refused`
  const ended = endedAfter(t, asking.frame.event)
  if (!reply && ended) {
    const expected = `the error ${invalidParams}`
    const actual = show(ended.detail['reason'])
    return violation(message, { expected, actual }, cite(asking.frame.event, ended))
  }
  if (!reply) return unanswered(t, call, asking.frame.event, message)
  const evidence = cite(asking.frame.event, reply.event)
  if (reply.error === invalidParams) return pass('it was refused', evidence)
  return violation(
    message,
    { expected: `the error ${invalidParams}`, actual: show(reply.error ?? reply.action) },
    evidence,
  )
}

/** The answer to a handshake that agrees on a revision with modes. */
function agreesOnModes(frame: Frame): boolean {
  return revisionIn(frame) >= firstWithModes
}

/** One that agrees on an older revision. */
function agreesOnNone(frame: Frame): boolean {
  const revision = revisionIn(frame)
  return revision !== '' && revision < firstWithModes
}

/** The revision that is agreed on; empty where nothing is. */
function revisionIn({ message }: Frame): string {
  return textIn(membersOf(message.value['result'])['protocolVersion'])
}

/** Where its user sees the form. */
function shownForm(t: Transcript) {
  const { title } = requestedSchema.properties.nickname
  return t.steps('shown').find(({ detail }) => textIn(detail['text']).includes(title))
}

/** A form needs not be named; a URL that comes with one is not opened. */
const takesForForm: Judge = (t, { declared }) => {
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  const { askings, opened, replies, decisions } = callOf(t)
  const request = {
    asking: askings[0]?.frame.event,
    opened: opened[0],
    answer: replies[0]?.event ?? decisions[0] ?? shownForm(t),
    // A call need not be made again (2026-07-28, MRTR).
    needsNoAnswer: askings[0]?.how === 'input',
  }
  return opensNothing(t, request, {
    violation: 'a URL was opened for a request that names no mode',
    expected: 'it is taken for a form',
    pass: 'no URL was opened',
  })
}

export const undeclaredMode = scenario({
  id: 'undeclared-mode',
  title: 'the server asks in a mode that the client has not declared',
  control,
  needs: {
    what: `revision ${firstWithModes} or a later one`,
    seen: (run) => [...run.values()].flatMap((t) => serverFrames(t)).find(agreesOnModes)?.event,
  },
  notApplicable: needsHandshake,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin()
    const { capabilities, session } = await call.arrived()
    // Who declares no elicitation does not know the method, and says so by another error (-32601).
    if (capabilities['elicitation'] === undefined)
      throw new Unreached('the client does not declare elicitation')
    const mode = undeclaredBy(capabilities['elicitation'])
    // A URL beside it does not make it one of URL mode.
    const { url } = call
    void call.askFor({ mode, message: 'Who are you?', requestedSchema, url })
    const { revision = '' } = session
    if (revision >= firstWithModes) await call.replied()
    else {
      // It may take it for what it knows, or say that it knows no such request.
      await call.replied().catch(unlessUnreached)
      if (call.view().replies[0]?.error === undefined)
        throw new NotOffered(
          `elicitations have modes from ${firstWithModes} on, not in ${revision}`,
        )
    }
    await call.finish()
  },
  checks: [
    check('mcp-url-elicitation/client/refuse-undeclared', 'refuses it with -32602', refuses),
  ],
})

const modeLeftOut = (
  own: Pick<ClientScenario, 'id' | 'title' | 'control' | 'notApplicable'>,
  options: { readonly modern?: boolean } = {},
): ClientScenario =>
  scenario({
    ...own,
    async drive({ open, observe }) {
      const client = await open(options)
      const call = await client.begin()
      await call.ask({ params: { mode: undefined, requestedSchema } })
      await call.agreeIfAsked()
      await observe()
      await call.noteShown()
    },
    checks: [
      check('mcp-url-elicitation/client/form-without-mode', 'takes it for a form', takesForForm),
    ],
  })

export const modeLeftOutScenarios = [
  modeLeftOut({
    id: 'mode-left-out',
    title: 'the server asks with a URL, and names no mode',
    control,
    notApplicable: needsHandshake,
  }),
  modeLeftOut(
    {
      id: 'modern-mode-left-out',
      title: 'a result asks with a URL, and names no mode',
      control: 'modern',
      notApplicable: needsModern,
    },
    { modern: true },
  ),
]
