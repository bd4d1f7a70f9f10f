import { describe, expect, test } from 'vitest'
import { judgeRecorded } from '../../../../harness/engine/index.ts'
import { rapTool } from '../profile.ts'
import { contextOf, recording, type Ending, type Recording } from '../testing.ts'
import { scenarios } from './index.ts'

/** What a server leaves behind that is no tool. */
function lazy(id: string, ack: Ending): Recording {
  const t = recording(id)
  t.discover(ack).invoke({}, ack).gaveUp().invoke({}, ack).gaveUp().window()
  return t.end('unreached', 'no oauth message')
}

const lazyServers: Record<string, (id: string) => Recording> = {
  'answers 404': (id) => lazy(id, 404),
  'answers 401': (id) => lazy(id, 401),
  'answers 500': (id) => lazy(id, 500),
  'answers 200': (id) => lazy(id, { status: 200, text: 'ok' }),
  'refuses connections': (id) => lazy(id, 'refused'),
  hangs: (id) => lazy(id, 'open'),
}

describe.each(Object.keys(lazyServers))('a server that %s', (server) => {
  test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
    const record = lazyServers[server]!
    const control = scenario.control === undefined ? undefined : record(scenario.control)
    const findings = judgeRecorded(rapTool, id, {
      ...contextOf(),
      strict: false,
      transcripts: new Map([
        [id, record(id).transcript],
        ...(control ? [[scenario.control ?? '', control.transcript] as const] : []),
      ]),
    })
    expect(findings).toHaveLength(scenario.checks.length)
    expect(findings.filter(({ verdict }) => verdict === 'pass')).toEqual([])
  })
})

test('a recording is judged the same however often, and is not changed by it', () => {
  for (const scenario of scenarios) {
    const { transcript } = recording(scenario.id).completed().window().end()
    const before = JSON.stringify(transcript.events)
    const judged = () => scenario.checks.map(({ judge }) => judge(transcript, contextOf()))
    expect(judged()).toEqual(judged())
    expect(JSON.stringify(transcript.events)).toBe(before)
  }
})
