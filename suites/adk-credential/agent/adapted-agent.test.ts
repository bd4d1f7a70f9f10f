import { expect, test } from 'vitest'
import { createRun } from '../../../harness/engine/run.ts'
import { AdapterFailure, HttpFailure } from '../../../harness/parties/index.ts'
import { targetSchema } from '../../../harness/parties/target-settings.ts'
import { adaptedApi, AdaptedAgent } from './adapted-agent.ts'

const timing = { ackMs: 1000, stepMs: 5000, observeMs: 10, maxWaitMs: 10_000, graceMs: 1000 }

/** An adapter in a few lines: each turn ends with the next line that it is given, so that turns could overlap. */
const script = `
  const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
  let open = 0
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, command, conversation, text, response, code } = JSON.parse(line)
    if (command === 'dump') return say({ event: 'unsupported', id })
    if (command === 'begin_consent') return say({ event: 'settled', id, authUri: 'https://as/authorize', flowId: 'f' })
    if (command === 'complete_consent') return code === 'right'
      ? say({ event: 'settled', id, credential: { auth_type: 'o_auth2' } })
      : say({ event: 'failed', id, message: 'state does not match' })
    say({ event: 'settled', id, protocol: 3 })
    if (text === 'die') process.exit(3)
    if (text === 'fail') return say({ event: 'run_failed', conversation, kind: 'Error', message: 'no' })
    if (command !== 'message' && command !== 'respond') return
    open += 1
    setTimeout(() => {
      say({ event: 'agent_event', conversation, payload: { open, said: text ?? response.id } })
      open -= 1
      say({ event: 'finished', conversation, text: '' })
    }, 50)
  })`

async function start(own = script) {
  const run = createRun({ timing })
  const recorder = run.recorder('a-scenario')
  const agent = await AdaptedAgent.start({
    run,
    name: 'shared',
    target: targetSchema.parse({ command: [process.execPath, '-e', own] }),
    base: process.cwd(),
    caFile: '',
    settings: {},
  })
  return { agent, recorder, api: adaptedApi(recorder, agent) }
}

const speaker = { user: 'user-1', session: 'session-1' }
const bodyOf = (answer: unknown): unknown =>
  JSON.parse((answer as { body: { text: string } }).body.text)

test('turns of one conversation come one after the other, and have their own events', async () => {
  const { agent, api, recorder } = await start()
  try {
    const answer = { id: 'request-1', name: 'adk_request_credential', response: {} }
    const both = await Promise.all([
      api.send(speaker, [{ text: 'Please.' }], 'call-1'),
      api.send(speaker, [{ functionResponse: answer }], 'call-1'),
    ])
    expect(both.map(bodyOf)).toEqual([
      [{ open: 1, said: 'Please.' }],
      [{ open: 1, said: 'request-1' }],
    ])
    const sent = recorder.transcript().requests('api', 'call-1')
    expect(sent.map(({ url }) => url)).toEqual(['adapter:message', 'adapter:respond'])
  } finally {
    await agent.stop()
  }
})

test('a turn that fails and a consent that is refused are answered as by a server', async () => {
  const { agent, api } = await start()
  try {
    expect(await api.send(speaker, [{ text: 'fail' }], 'call-1')).toMatchObject({ status: 500 })
    const begun = await api.consent('begin', { userId: 'user-1', authConfig: {} }, 'call-1')
    expect(bodyOf(begun)).toEqual({ authUri: 'https://as/authorize', flowId: 'f' })
    const flow = { userId: 'user-1', flowId: 'f', state: 's' }
    const refused = await api.consent('complete', { ...flow, code: 'wrong' }, 'call-1')
    expect(refused).toMatchObject({ status: 400 })
    const made = await api.consent('complete', { ...flow, code: 'right' }, 'call-1')
    expect(bodyOf(made)).toEqual({ credential: { auth_type: 'o_auth2' } })
    expect(await api.readSession(speaker)).toBeInstanceOf(HttpFailure)
  } finally {
    await agent.stop()
  }
})

test('an adapter that dies is no finding about the agent', async () => {
  const { agent, api } = await start()
  await expect(api.send(speaker, [{ text: 'die' }], 'call-1')).rejects.toThrow(AdapterFailure)
  expect(agent.lost).toContain('exited with code 3')
  await agent.stop()
})

test('an adapter of an older version is told so', async () => {
  await expect(start(script.replace('protocol: 3', 'protocol: 2'))).rejects.toThrow(
    'does not speak version 3',
  )
})
