/** One invocation: a message comes in, the model and the tools take their turns, until nothing is left or a user is needed. */

import type { Answer } from './answers.ts'
import { findCredential, forget, renew } from './credentials.ts'
import { eventOf, type Said } from './events.ts'
import { CallFailure } from './failure.ts'
import type { Credential, Flow } from './oauth.ts'
import { keep, resume, type Resumed } from './resume.ts'
import { placeholder, type Session, type ToolCall } from './session.ts'
import { TokenRefused, tools, type Fields, type Tool } from './tools.ts'
import type { Work } from './work.ts'

/** What a user or the client application sends. */
export interface Message {
  readonly text: string
  readonly answers: readonly Answer[]
}

/** A model that calls tools again and again is stopped. */
const mostTurns = 8

/** The events of it; each is kept in the session. */
export async function invoke(work: Work, session: Session, message: Message): Promise<Fields[]> {
  const { parts, sessions } = work
  const invocationId = parts.newId()
  const events: Fields[] = []
  const say = (said: Said): void => {
    const event = eventOf(invocationId, 'items_agent', said)
    events.push(event)
    if (!said.partial) session.events.push(event)
  }
  note(session, invocationId, message)
  const resumed = await resumeAll(work, session, message.answers)
  for (const each of resumed) keep(work, session, each)
  const calls = resumed.map(({ pending }) => pending.call)
  const granted = new Map(resumed.map(({ pending, outcome }) => [pending.call.id, outcome]))
  if (calls.length > 0) await carryOut(work, session, calls, say, granted)
  if (message.text !== '') session.history.push({ said: message.text })
  const goesOn = message.text !== '' || (calls.length > 0 && !parts.pauses(session))
  if (goesOn) await takeTurns(work, session, say)
  sessions.save(session)
  return events
}

/** What came in is kept, without what only the agent has to know. */
function note(session: Session, invocationId: string, { text, answers }: Message): void {
  const spoken = text === '' ? [] : [{ text }]
  const given = answers.map(({ id, name }) => ({ functionResponse: { id, name, response: {} } }))
  session.events.push(eventOf(invocationId, 'user', { role: 'user', parts: [...spoken, ...given] }))
}

async function resumeAll(
  work: Work,
  session: Session,
  answers: readonly Answer[],
): Promise<Resumed[]> {
  const resumed: Resumed[] = []
  for (const answer of answers) {
    const found = await resume(work, session, answer)
    if (found) resumed.push(found)
    else work.parts.log({ event: 'answer-ignored' })
  }
  return resumed
}

async function takeTurns(work: Work, session: Session, say: (said: Said) => void): Promise<void> {
  const { parts, config, askFetch } = work
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const answered = await parts.askModel(config.model, askFetch, parts.contentsOf(session))
    const text = answered.map((part) => part.text ?? '').join('')
    const known = session.history.flatMap((entry) => ('calls' in entry ? entry.calls : [])).length
    const calls = answered
      .flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
      .map(({ name, args = {} }, index) => ({ id: parts.callId(known + index + 1), name, args }))
    session.history.push({ text, calls })
    if (calls.length === 0) return say({ role: 'model', parts: [{ text }] })
    say(parts.callsSaid(text, calls))
    await carryOut(work, session, calls, say, new Map())
    if (parts.pauses(session)) return
  }
}

/** Runs what can be run, and asks for what is missing. */
async function carryOut(
  work: Work,
  session: Session,
  calls: readonly ToolCall[],
  say: (said: Said) => void,
  granted: ReadonlyMap<string, Credential | CallFailure>,
): Promise<void> {
  const { parts, config } = work
  const results: { call: ToolCall; response: Fields }[] = []
  const waiting: Record<string, Fields> = {}
  for (const call of calls) {
    const result = await respond(work, session, call, granted.get(call.id))
    const response = result ?? parts.insteadOfAsking(session, call)
    if (response !== undefined) {
      session.results[call.id] = response
      results.push({ call, response })
      continue
    }
    const authConfig = await ask(work, session, call, say)
    if (config.dialect === 'response') continue
    waiting[call.id] = authConfig
    results.push({ call, response: placeholder })
  }
  if (results.length === 0) return
  say({
    ...parts.resultsSaid(results),
    ...(Object.keys(waiting).length > 0 ? { requestedAuthConfigs: waiting } : {}),
  })
}

/** The result of a call; undefined when its user has to be asked first. */
async function respond(
  work: Work,
  session: Session,
  call: ToolCall,
  granted: Credential | CallFailure | undefined,
): Promise<Fields | undefined> {
  const { parts } = work
  try {
    if (granted instanceof CallFailure) throw granted
    const tool = tools.find(({ name }) => name === call.name)
    if (!tool) throw new CallFailure('unknown-tool')
    if (!tool.credential) return { time: new Date().toISOString() }
    return await runWithToken(work, session, tool, call, granted)
  } catch (error) {
    const outcome = error instanceof CallFailure ? error.code : 'internal'
    parts.log({ event: 'call-ended', outcome })
    return parts.describeFailure(error)
  }
}

async function runWithToken(
  work: Work,
  session: Session,
  tool: Tool,
  call: ToolCall,
  granted: Credential | undefined,
): Promise<Fields | undefined> {
  const { parts, config, fetch } = work
  const key = parts.credentialKey(tool)
  const owner = { user: session.userId, key, session: session.id }
  const run = async (token: string): Promise<Fields> =>
    parts.describeResult(await parts.callApi(config.resource, fetch, tool, call.args, token), token)
  const given = parts.tokenIn(call.args)
  if (given !== undefined) return run(given)
  const first = granted ?? (await findCredential(work, owner))
  if (!first) return undefined
  try {
    return await run(first.accessToken)
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // What was just granted and is refused would be refused again.
    if (granted || parts.onRefusal() === 'fail') throw new CallFailure('token-refused')
  }
  const second = await renew(work, owner, first)
  if (!second) return undefined
  try {
    return await run(second.accessToken)
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    forget(work, owner, second)
    return undefined
  }
}

/** Asks the client application for a credential, and keeps the call until it answers. */
async function ask(
  work: Work,
  session: Session,
  call: ToolCall,
  say: (said: Said) => void,
): Promise<Fields> {
  const { parts, config } = work
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool?.credential) throw new TypeError(`${call.name} needs no credential`)
  parts.log({ event: 'credential-requested' })
  if (config.dialect === 'response') {
    const authConfig = parts.authConfigOf(config, tool)
    session.pending.push({ id: call.id, call })
    say(parts.requestSaid(call.id, call, authConfig, 'response'))
    return authConfig
  }
  const { flow, authUri } = await beginFlow(work, tool)
  const authConfig = parts.authConfigOf(config, tool, { flow, authUri })
  const id = parts.newId()
  session.pending.push({ id, call, flow })
  say(parts.requestSaid(id, call, authConfig, 'call'))
  return authConfig
}

/** An authorization request, with everything new. */
export async function beginFlow(
  { parts, config }: Work,
  tool: Tool,
): Promise<{ readonly flow: Flow; readonly authUri: string }> {
  const { redirectUri } = config.oauth
  const flow: Flow = { state: parts.newState(), verifier: parts.newVerifier(), redirectUri }
  const scopes = tool.credential?.scopes ?? []
  const pkce = await parts.pkceParameters(flow.verifier)
  return { flow, authUri: parts.authorizationUrl(config.oauth, flow, scopes, pkce) }
}
