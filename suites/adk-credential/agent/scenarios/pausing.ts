import {
  cite,
  inconclusive,
  isAfter,
  pass,
  pathOf,
  violation,
  watched,
  type Evidence,
  type Judgement,
  type ProviderRecord,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { modelCalled } from '../../../../harness/parties/model-called.ts'
import { apiRequests, hasToken, issuedGrant } from '../../../oauth-client/view.ts'
import { check } from '../checks.ts'
import { callOf, failureOf } from '../view.ts'
import { control, scenario } from './define.ts'

const paused = scenario({
  id: 'paused',
  title: 'the agent asks for a credential, and nobody answers for a while',
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user)
    await call.asked()
    await observe()
  },
  checks: [
    check('adk-credential/agent/invocation-paused', 'does not go on without an answer', (t) => {
      const { requests, modelAsked, messages } = callOf(t)
      const [request] = requests
      if (!request) return inconclusive('no credential request came')
      const called = t.steps('model-called', 'call-1')[0]
      const next = messages[1]
      // What is asked without the tool is no next step of the turn: a title, or a summary.
      const again = modelAsked.find(
        (step) =>
          isAfter(step, called) &&
          !(next && isAfter(step, next)) &&
          offers(step, called?.detail['name']),
      )
      if (again) {
        return violation(
          'the model was asked again while the invocation still waits for a credential',
          { expected: 'nothing until the client application answers', actual: 'a model request' },
          cite(request.event, again),
        )
      }
      const ms = watched(t, request.event)
      if (ms === undefined) return inconclusive('the run did not watch what happens next')
      return pass(`no model request within ${ms} ms`, cite(request.event))
    }),
  ],
})

/** Whether a request to the API had a token that no provider issued. */
function isUnknown(access: Recorded<ProviderRecord>): boolean {
  return hasToken(access) && typeof access.detail['token'] !== 'string'
}

/** Whether a request to the model offers that tool; where nothing is known of its tools, it may. */
function offers({ detail }: Recorded<StepEvent>, tool: unknown): boolean {
  const { tools } = detail
  return !Array.isArray(tools) || tools.includes(tool)
}

const talk = scenario({
  id: 'talk-while-pending',
  title: 'the user says something else while a credential request is pending, then approves',
  control,
  async drive({ begin, user }) {
    const call = begin(user)
    const flow = await user.consent(call)
    await call.say()
    await user.follow(flow)
    await call.settle()
  },
  checks: [
    check('adk-credential/agent/conversation-continues', 'takes the message', (t) => {
      const { requests, messages } = callOf(t)
      const said = messages[1]
      const answer = said && t.answer(said)
      if (requests.length === 0 || !said || !answer)
        return inconclusive('nothing was said while a request was pending')
      const reached = cite(requests[0]?.event, said, answer)
      const actual = answer.type === 'response' ? failureOf(answer) : answer.message
      if (actual === undefined) return keepsRequest(t, reached)
      return violation(
        'a message is refused while a credential request is pending',
        { expected: 'events', actual },
        reached,
      )
    }),
  ],
})

/** What is said in between leaves the request answerable: the call ends, or is asked for anew. */
function keepsRequest(t: Transcript, reached: readonly Evidence[]): Judgement {
  const { requests, ended } = callOf(t)
  const [back] = t.requests('browser', 'call-1')
  const page = back && t.answer(back)
  const goesOn =
    ended.length > 0 || requests.some(({ event }) => back !== undefined && isAfter(event, back))
  if (page?.type !== 'response' || goesOn) return pass('it was answered', reached)
  return violation(
    'the pending request was lost after another message of the user',
    { expected: 'a result of the call, or a new request', actual: 'neither' },
    [...reached, ...cite(back, page)],
  )
}

const argumentsOfModel = scenario({
  id: 'credential-in-arguments',
  title: 'the model writes credentials into the arguments of the tool',
  control,
  async drive({ begin, user, configuration, forgedToken }) {
    const { operation } = configuration
    const forged = forgedToken('call-1')
    const given = {
      ...operation.arguments,
      access_token: forged,
      credential: { oauth2: { access_token: forged } },
      authorization: `Bearer ${forged}`,
    }
    const call = begin(user, { tools: [{ name: operation.name, arguments: given }] })
    if ((await call.answered()) === 'ended') return
    // A tool may prefer what the model wrote once it is run.
    await user.approve(call)
    await call.settle()
  },
  checks: [
    check(
      'adk-credential/agent/credential-not-from-arguments',
      'still asks for a credential',
      (t) => {
        const call = callOf(t)
        const { requests, ended } = call
        const reached = modelCalled(t)
        if (typeof reached === 'string') return inconclusive(reached)
        // Nobody has authorized anything: what comes with the call brought the token of the arguments.
        const issued = issuedGrant(call)
        const early = issued ? undefined : apiRequests(call)[0]
        const late = call.accesses.find(
          (each) => issued && isAfter(each, issued) && isUnknown(each),
        )
        if (early || late) {
          return violation(
            'what the model wrote into its arguments was sent to the API as a token',
            {
              expected: 'a credential request',
              actual: early
                ? `${early.method} ${pathOf(early.url)}`
                : String(late?.detail['route']),
            },
            [...reached, ...cite(early, late)],
          )
        }
        const [request] = requests
        if (request) return pass('a credential was asked for', [...reached, ...cite(request.event)])
        const [end] = ended
        // Arguments that a tool does not declare may be refused before anything else is done.
        if (!end || (end.error && /argument|parameter|unexpected|schema|valid/i.test(end.text)))
          return inconclusive('the call was refused for its arguments', reached)
        return inconclusive('a result came, and no request to the API shows with which token', [
          ...reached,
          ...cite(end.event),
        ])
      },
    ),
  ],
})

export const pausingScenarios = [paused, talk, argumentsOfModel]
