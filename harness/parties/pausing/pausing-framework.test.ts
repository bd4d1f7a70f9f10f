import { expect, test } from 'vitest'
import { createRun } from '../../engine/run.ts'
import { Unreached } from '../../engine/scenario.ts'
import { targetSchema } from '../target-settings.ts'
import { PausingFramework, type RunOutcome } from './pausing-framework.ts'

const timing = { ackMs: 1000, stepMs: 5000, observeMs: 10, maxWaitMs: 10_000, graceMs: 1000 }
const handle = '0123456789abcdef0123456789abcdef'
const state = 'a-state-that-nobody-guesses-1234'

/** An adapter in a few lines: what it says to a message and to a resumption. */
const script = `
  const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, command, conversation, handle, user } = JSON.parse(line)
    if (command === 'dump') return say({ event: 'unsupported', id })
    const capabilities = ['restart', ...(process.env.ADDED ? [process.env.ADDED] : [])]
    say({ event: 'settled', id, protocol: 2, capabilities })
    if (command === 'message') {
      const payload = { state: '${state}', auth_url: 'https://as/authorize?state=${state}' }
      say({ event: 'paused', conversation, handle: '${handle}', reason: 'r', payload })
    }
    if (command === 'callback') say({ event: 'callback', outcome: 'refused', state: '${state}' })
    if (command === 'resume') {
      say({ event: 'callback', outcome: 'stored', user })
      say({ event: 'run_failed', conversation, kind: 'KeyError', message: handle })
    }
  })`

async function start(additions: readonly Readonly<Record<string, string>>[] = []) {
  const run = createRun({ timing })
  const recorder = run.recorder('a-scenario')
  const framework = await PausingFramework.start({
    run,
    name: 'shared',
    target: targetSchema.parse({ command: [process.execPath, '-e', script] }),
    base: process.cwd(),
    caFile: '',
    settings: {},
    additions,
    stateIn: (payload) => payload['state'] as string | undefined,
    derivationOf: (_, known) => `of ${Object.keys(known).join(', ')}`,
    hidesStates: true,
  })
  const outcomes: RunOutcome[] = []
  const talk = {
    recorder,
    call: 'call-1',
    conversation: 'conversation-1',
    user: 'user-1',
    onOutcome: (outcome: RunOutcome) => outcomes.push(outcome),
  }
  framework.enter(talk)
  const recorded = (action: string) =>
    recorder.waitFor((t) => t.steps(action)[0], timing.maxWaitMs, run.signal)
  return { framework, recorder, outcomes, talk, recorded, log: run.log }
}

test('whoever drives sees handle and state; the recording names them only', async () => {
  const { framework, talk, outcomes, recorded, recorder, log } = await start()
  try {
    expect(framework.capabilities).toEqual(['restart'])
    await framework.say(talk, 'Please.')
    const paused = await recorded('paused')
    expect(outcomes).toEqual([expect.objectContaining({ event: 'paused', handle })])
    expect(paused?.call).toBe('call-1')
    expect(paused?.detail['handle']).toBe('[secret resume_handle-1]')
    expect(paused?.detail['facts']).toMatchObject({ derived: 'of user, conversation, state' })
    await framework.resume(talk, { user: 'user-2', handle, input: 'done' })
    const failed = await recorded('run-failed')
    expect(failed?.detail['message']).toBe('[secret resume_handle-1]')
    expect(failed?.secrets).toEqual([expect.objectContaining({ kind: 'resume_handle' })])
    const texts = JSON.stringify([recorder.transcript().events, log.transcript().events])
    expect(texts).not.toContain(handle)
    expect(texts).not.toContain(state)
    expect(texts).toContain('pending_state-1')
  } finally {
    await framework.stop()
  }
})

test('a callback that is refused belongs to whose state it had', async () => {
  const { framework, talk, recorded } = await start()
  try {
    await framework.say(talk, 'Please.')
    await recorded('paused')
    await framework.giveCallback('http://127.0.0.1/callback')
    const taken = await recorded('callback-taken')
    expect([taken?.call, taken?.detail['state']]).toEqual(['call-1', '[secret pending_state-1]'])
  } finally {
    await framework.stop()
  }
})

test('what its adapter does not support is not reached', async () => {
  const { framework } = await start()
  try {
    await expect(framework.dump()).rejects.toThrow(Unreached)
  } finally {
    await framework.stop()
  }
})

test('what its surroundings add to its environment reaches the adapter, which has a group of its own', async () => {
  const { framework } = await start([{ ADDED: 'what-was-added' }])
  try {
    expect(framework.capabilities).toContain('what-was-added')
    expect(framework.group).toBeGreaterThan(0)
  } finally {
    await framework.stop()
  }
})
