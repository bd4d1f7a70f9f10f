import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { commonSchema, type CommonConfiguration } from '../parties/configuration.ts'
import type { NewEvent } from './recording/event.ts'
import { Unreachable } from './scenario.ts'
import type { Profile, ScenarioContext, TestBed } from './profile.ts'
import { runLog } from './run.ts'
import {
  inconclusive,
  NotOffered,
  pass,
  Unreached,
  violation,
  type Check,
  type Scenario,
} from './scenario.ts'
import { openSession, type Session, type SessionOptions } from './session.ts'
import { parseTranscript } from './recording/stored-transcript.ts'
import { cite, type Transcript } from './recording/transcript.ts'

interface Declared {
  readonly refreshes: boolean
}
type ToyScenario = Scenario<ScenarioContext, Declared>
type Toy = Profile<ScenarioContext, Declared>
type Drive = (fixtures: ScenarioContext) => void | Promise<void>

const opened: Session[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const request = (channel: 'callback' | 'browser'): NewEvent => ({
  type: 'request',
  channel,
  exchange: channel,
  method: 'POST',
  url: 'http://x/',
  headers: {},
})

const answers: Drive = ({ recorder }) => recorder.record(request('callback'))
const passes: Check<Declared> = {
  requirement: 'p/role/holds',
  title: 'holds',
  judge: (t) => pass('it holds', cite(t.events[0])),
}
const breaks: Check<Declared> = {
  requirement: 'p/role/holds',
  title: 'holds',
  judge: () => violation('it broke', { expected: 'x', actual: 'y' }, []),
}

const unproven: Check<Declared> = {
  requirement: 'p/role/holds',
  title: 'holds',
  judge: () => inconclusive('no use of the token', []),
}

const scenario = (id: string, drive: Drive, more: Partial<ToyScenario> = {}): ToyScenario => ({
  id,
  title: id,
  drive: async (fixtures) => drive(fixtures),
  checks: [passes],
  ...more,
})
const gate = scenario('gate', answers)

const toyGate: Toy['gate'] = {
  scenario: 'gate',
  soon: (t) => t.requests('browser')[0],
  atAll: (t) => t.requests('callback')[0],
  otherwise: 'got no message from the implementation',
}

interface ToyOptions {
  readonly testBed?: Partial<TestBed<ScenarioContext>>
  readonly profile?: Partial<Toy>
  readonly configuration?: Record<string, unknown>
  readonly options?: Partial<SessionOptions<CommonConfiguration>>
}

async function open(scenarios: ToyScenario[], given: ToyOptions = {}): Promise<Session> {
  const profile: Toy = {
    id: 'p/role',
    title: 'a toy',
    requirements: [
      {
        id: 'p/role/holds',
        keyword: 'MUST',
        basis: 'specification',
        source: 'Document',
        text: 'It holds.',
        observed: 'By looking.',
      },
    ],
    scenarios,
    specification: { title: 'Document', revision: '1', published: 'https://d.test/', pages: {} },
    diagram: { lanes: [], implementation: 'i', user: 'user', announcements: [], channels: {} },
    reference: { name: 'reference', settings: () => ({}) },
    start: {},
    placeholders: {},
    gate: toyGate,
    configuration: commonSchema,
    declared: () => ({ refreshes: false }),
    open: async () => ({
      facts: { provider: 'https://provider.test' },
      fixtures: (context) => context,
      survived: async () => undefined,
      close: async () => undefined,
      ...given.testBed,
    }),
    ...given.profile,
  }
  const configuration = commonSchema.parse({
    profile: 'p/role',
    target: { url: 'http://127.0.0.1:1' },
    ...given.configuration,
  })
  const session = await openSession(profile, { configuration, base: '/', ...given.options })
  opened.push(session)
  return session
}

const verdicts = async (session: Session, id: string): Promise<string[]> =>
  (await session.judge(id)).map(({ verdict, message }) => `${verdict}: ${message}`)

describe('a scenario', () => {
  test('is driven once, however often it is judged or is a control', async () => {
    let driven = 0
    const counted = scenario('gate', (fixtures) => {
      driven += 1
      return answers(fixtures)
    })
    const session = await open([counted, scenario('negative', answers, { control: 'gate' })])
    await Promise.all([session.judge('gate'), session.judge('negative'), session.judge('gate')])
    expect(driven).toBe(1)
    expect(await verdicts(session, 'negative')).toEqual(['pass: it holds'])
    expect(session.facts).toEqual({ provider: 'https://provider.test' })
  })

  test('has findings with evidence in its own transcript', async () => {
    const session = await open([gate])
    const [finding] = await session.judge('gate')
    expect(finding).toMatchObject({
      requirement: 'p/role/holds',
      scenario: 'gate',
      verdict: 'pass',
      evidence: [{ scenario: 'gate', seq: 1 }],
    })
    expect(session.transcripts().get('gate')?.end).toMatchObject({ outcome: 'completed' })
  })

  test('that the profile does not have cannot be judged', async () => {
    const session = await open([gate])
    await expect(session.judge('other')).rejects.toThrow('no scenario other in p/role')
  })

  test('that the implementation does not get through is unreached, and judged so far', async () => {
    const stops: Drive = () => {
      throw new Unreached('no oauth message')
    }
    const session = await open([
      gate,
      scenario('stopped', stops, { checks: [breaks] }),
      scenario('negative', answers, { control: 'stopped' }),
    ])
    expect(await verdicts(session, 'stopped')).toEqual(['fail: it broke'])
    expect(session.transcripts().get('stopped')?.end).toMatchObject({
      outcome: 'unreached',
      reason: 'no oauth message',
    })
    expect(await verdicts(session, 'negative')).toEqual([
      expect.stringContaining(
        'inconclusive: the scenario stopped, which it is compared with, did not work',
      ),
    ])
    expect(session.failures).toEqual([])
  })

  test('in which the implementation cannot be started again is unreached, and no failure of ours', async () => {
    const restarts: Drive = () => {
      throw new Unreachable('the command exited with code 1')
    }
    const session = await open([gate, scenario('restarted', restarts, { checks: [unproven] })])
    expect(await verdicts(session, 'restarted')).toEqual([
      'inconclusive: no use of the token; the scenario stopped: the command exited with code 1',
    ])
    expect(session.failures).toEqual([])
  })

  test('that does not apply is not driven; one that is not offered ends where that turns out', async () => {
    let driven = false
    const session = await open([
      gate,
      scenario('declared', () => void (driven = true), {
        notApplicable: ({ refreshes }) => (refreshes ? undefined : 'no refresh tokens'),
      }),
      scenario(
        'found',
        () => {
          throw new NotOffered('one flow for both')
        },
        { checks: [unproven], needs: { what: 'a second flow', seen: () => undefined } },
      ),
      scenario(
        'shown',
        () => {
          throw new NotOffered('one flow for both')
        },
        {
          checks: [unproven],
          needs: { what: 'a second flow', seen: (run) => run.get('gate')?.events[0] },
        },
      ),
    ])
    expect(await verdicts(session, 'declared')).toEqual(['not-applicable: no refresh tokens'])
    expect(await verdicts(session, 'found')).toEqual([
      'not-offered: not required, and never seen in this run: a second flow',
    ])
    expect(await verdicts(session, 'shown')).toEqual([
      'inconclusive: no use of the token; the scenario stopped: one flow for both, although the run shows a second flow',
    ])
    expect(session.transcripts().get('found')?.end).toMatchObject({ outcome: 'not-offered' })
    expect(driven).toBe(false)
  })

  test('in which the harness breaks is nobody’s fault but ours', async () => {
    const session = await open([
      gate,
      scenario('broken', () => {
        throw new TypeError('oops')
      }),
      scenario('odd', () => {
        // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- anything can be thrown
        throw 'a text'
      }),
    ])
    expect(await verdicts(session, 'broken')).toEqual(['inconclusive: the harness failed: oops'])
    expect(await verdicts(session, 'odd')).toEqual(['inconclusive: the harness failed: a text'])
    expect(session.failures).toEqual([
      { scenario: 'broken', message: expect.stringMatching(/^TypeError: oops\n\s+at /) },
      { scenario: 'odd', message: 'a text' },
    ])
    expect(session.transcripts().get('broken')?.end).toMatchObject({ outcome: 'error' })
  })

  test('that lacks fixtures is a failure of the harness too', async () => {
    const session = await open([gate, scenario('next', answers)], {
      testBed: {
        fixtures: ({ recorder, ...context }) => {
          if (recorder.scenario === 'next') throw new Error('no fixtures')
          return { recorder, ...context }
        },
      },
    })
    expect(await verdicts(session, 'next')).toEqual([
      'inconclusive: the harness failed: no fixtures',
    ])
    expect(await verdicts(session, 'gate')).toEqual(['pass: it holds'])
  })
})

describe('the gate', () => {
  const other = (driven: string[]) => scenario('other', () => void driven.push('other'))

  test.each<[string, Drive]>([
    [
      'was not reached',
      () => {
        throw new Unreached('no answer')
      },
    ],
    ['got no message', () => undefined],
    [
      'broke',
      () => {
        throw new Error('oops')
      },
    ],
  ])('that %s leaves all others untried', async (_, drive) => {
    const driven: string[] = []
    const session = await open([scenario('gate', drive), other(driven)])
    expect(await verdicts(session, 'other')).toEqual([
      'inconclusive: not tried, because gate got no message from the implementation',
    ])
    expect(driven).toEqual([])
    expect(session.transcripts().get('other')?.end).toMatchObject({ outcome: 'aborted' })
  })

  test('that was not reached, but got a message, lets the others try', async () => {
    const driven: string[] = []
    const stopped: Drive = (fixtures) => {
      void answers(fixtures)
      throw new Unreached('no result')
    }
    const session = await open([scenario('gate', stopped), other(driven)])
    await session.judge('other')
    expect(driven).toEqual(['other'])
  })

  test('is waited for no longer than until its user has come back', async () => {
    let finish = (): void => undefined
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const slow: Drive = (fixtures) => {
      void answers(fixtures)
      fixtures.recorder.record(request('browser'))
      return finished
    }
    const session = await open([scenario('gate', slow), scenario('other', () => finish())])
    expect(await verdicts(session, 'other')).toEqual(['pass: it holds'])
  })

  test('is waited for until it got a message, though its user was there before', async () => {
    const early: Drive = async (fixtures) => {
      fixtures.recorder.record(request('browser'))
      await new Promise((resolve) => setImmediate(resolve))
      return answers(fixtures)
    }
    const driven: string[] = []
    const session = await open([scenario('gate', early), other(driven)])
    await session.judge('other')
    expect(driven).toEqual(['other'])
  })

  test('is driven although only another scenario was asked for', async () => {
    const driven: string[] = []
    const first = scenario('gate', (fixtures) => {
      driven.push('gate')
      return answers(fixtures)
    })
    const session = await open([first, other(driven)], { options: { scenarios: ['other'] } })
    await session.judge('other')
    expect(driven).toEqual(['gate', 'other'])
  })

  test('does not matter to what does not apply anyway', async () => {
    const session = await open([
      scenario('gate', () => undefined),
      scenario('other', () => undefined, { notApplicable: () => 'not declared' }),
    ])
    expect(await verdicts(session, 'other')).toEqual(['not-applicable: not declared'])
  })
})

describe('the whole run', () => {
  const summary = (judge: Check<Declared>['judge'], drive: Drive = () => undefined) =>
    scenario(
      'whole',
      (fixtures) => {
        fixtures.recorder.record({ type: 'step', action: 'last', detail: {} })
        return drive(fixtures)
      },
      {
        after: 'all',
        checks: [{ ...passes, judge }],
      },
    )

  test('is judged by every transcript and the log, after all others have ended', async () => {
    let seen: string[] = []
    let ended: boolean[] = []
    let judged = 0
    const session = await open([
      summary(
        (t) => {
          judged += 1
          seen = t.events.map((event) => `${event.scenario} ${event.type}`)
          return pass('seen')
        },
        () => {
          const others = ['gate', 'other'].map((id) => session.transcripts().get(id))
          ended = others.map((each) => each?.end !== undefined)
        },
      ),
      gate,
      scenario('other', answers),
    ])
    session.run.log.record({ type: 'output', source: 'stdout', text: 'x', bytes: 1 })
    expect(await verdicts(session, 'whole')).toEqual(['pass: seen'])
    expect(judged).toBe(1)
    expect(seen.toSorted()).toEqual([
      'gate end',
      'gate request',
      'other end',
      'other request',
      `${runLog} output`,
      'whole end',
      'whole step',
    ])
    expect(ended).toEqual([true, true])
  })

  test('leaves out what was not asked for', async () => {
    const driven: string[] = []
    const session = await open(
      [gate, scenario('other', () => void driven.push('other')), summary(() => pass('seen'))],
      { options: { scenarios: ['gate', 'whole'] } },
    )
    expect(await verdicts(session, 'whole')).toEqual(['pass: seen'])
    expect(driven).toEqual([])
  })
})

describe('an implementation that did not survive', () => {
  test('passes nothing, and still fails where it failed', async () => {
    const session = await open([gate, scenario('other', answers, { checks: [breaks] })], {
      testBed: { survived: async () => 'it ended by SIGSEGV' },
    })
    expect(await verdicts(session, 'gate')).toEqual([
      'inconclusive: the implementation did not survive the run: it ended by SIGSEGV (it holds)',
    ])
    expect(await verdicts(session, 'other')).toEqual(['fail: it broke'])
    expect(session.run.log.transcript().steps('implementation-died')).toMatchObject([
      { detail: { reason: 'it ended by SIGSEGV' } },
    ])
  })

  test('is asked for once, when all have ended', async () => {
    const events: string[] = []
    const session = await open(
      [
        gate,
        scenario('a', () => void events.push('a')),
        scenario('b', () => void events.push('b')),
      ],
      {
        testBed: {
          survived: async () => {
            events.push('survived')
            return undefined
          },
        },
      },
    )
    await Promise.all(['gate', 'a', 'b'].map((id) => session.judge(id)))
    expect(events.toSorted()).toEqual(['a', 'b', 'survived'])
    expect(events.at(-1)).toBe('survived')
  })

  test('is told of as it was judged at first', async () => {
    const told: string[] = []
    const session = await open([gate], {
      testBed: { survived: async () => 'it ended' },
      options: { onJudged: (id, findings) => told.push(`${id} ${findings[0]?.verdict}`) },
    })
    await session.judge('gate')
    expect(told).toEqual(['gate pass'])
  })
})

test('a run says by how much its machine was late', async () => {
  // Nothing happens in this process meanwhile, as where others have its processor.
  const busy = scenario('busy', async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
    await new Promise((resolve) => setTimeout(resolve, 0))
  })
  const session = await open([gate, busy])
  await session.judge('busy')
  session.end()
  const [step] = session.run.log.transcript().steps('busy-machine')
  expect(step?.detail['lateMs']).toBeGreaterThanOrEqual(500)
})

describe('on a busy machine', () => {
  /** Nothing happens in this process meanwhile, as where others have its processor. */
  const starved = async (): Promise<void> => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  /** Finds nothing at the first drive, and something at every later one. */
  const proves: Check<Declared> = {
    requirement: 'p/role/holds',
    title: 'holds',
    judge: (t) => (t.requests('browser')[0] ? pass('it holds', []) : inconclusive('too late', [])),
  }

  async function drives(
    first: Drive,
    checks: readonly Check<Declared>[],
    options: ToyOptions['options'] = {},
  ) {
    const names: string[] = []
    const late = scenario(
      'late',
      async (fixtures) => {
        names.push(fixtures.recorder.name)
        if (names.length === 1) return first(fixtures)
        fixtures.recorder.record(request('browser'))
      },
      { checks, control: 'gate' },
    )
    const session = await open([gate, late], { options })
    return { names, found: await verdicts(session, 'late'), session }
  }

  test('what lacks proof is driven once more, and judged by that', async () => {
    const { names, found, session } = await drives(starved, [proves])
    expect(names).toEqual(['late', 'late-again'])
    expect(found).toEqual(['pass: it holds'])
    const transcript = session.transcripts().get('late')
    expect(transcript?.events.map(({ type }) => type)).toEqual(['request', 'end'])
    const again = session.run.log.transcript().steps('driven-again')
    expect(again.map(({ detail }) => detail)).toEqual([{ scenario: 'late', why: 'busy' }])
  })

  test('and only once', async () => {
    const { names, found } = await drives(starved, [unproven])
    expect(names).toHaveLength(2)
    expect(found).toEqual(['inconclusive: no use of the token'])
  })

  test.each([
    ['what is broken, whatever else lacks proof', starved, [proves, breaks], {}],
    ['what is proven', starved, [passes], {}],
    ['what lacked proof while it was quiet', () => {}, [proves], {}],
    ['anything where that is not wanted', starved, [proves], { again: false }],
  ] satisfies [string, Drive, Check<Declared>[], ToyOptions['options']][])(
    'not %s',
    async (_, first, checks, options) => {
      const { names } = await drives(first, checks, options)
      expect(names).toEqual(['late'])
    },
  )
})

describe('where something was waited for in vain', () => {
  const proves: Check<Declared> = {
    requirement: 'p/role/holds',
    title: 'holds',
    judge: (t) => (t.requests('browser')[0] ? pass('it holds', []) : inconclusive('nothing', [])),
  }
  const waits = () => {
    throw new Unreached('no answer')
  }

  test('it is driven once more when all others have ended, alone, and judged by that', async () => {
    const events: string[] = []
    const waiting = (id: string) =>
      scenario(
        id,
        async ({ recorder, lendSlot }) => {
          events.push(`${recorder.name} begins`)
          await lendSlot(new Promise((resolve) => setImmediate(resolve)))
          events.push(`${recorder.name} ends`)
          if (recorder.name === id) waits()
          recorder.record(request('browser'))
        },
        { checks: [proves] },
      )
    const other = scenario('other', () => void events.push('other'))
    const session = await open([gate, waiting('a'), waiting('b'), other])
    const found = await Promise.all(['a', 'b', 'other'].map((id) => verdicts(session, id)))
    expect(found.slice(0, 2)).toEqual([['pass: it holds'], ['pass: it holds']])
    expect(events.slice(-4)).toEqual([
      'a-again begins',
      'a-again ends',
      'b-again begins',
      'b-again ends',
    ])
    const again = session.run.log.transcript().steps('driven-again')
    expect(again.map(({ detail }) => detail['why'])).toEqual(['beside-others', 'beside-others'])
  })

  test('not where it was alone already, where it is the gate, or after three second drives in vain', async () => {
    const counted = async (ids: readonly string[], configuration = {}) => {
      let drives = 0
      const all = ids.map((id) =>
        scenario(id, () => ((drives += 1), waits()), { checks: [proves] }),
      )
      const session = await open(ids.includes('gate') ? all : [gate, ...all], { configuration })
      await Promise.all(ids.map((id) => session.judge(id)))
      return drives
    }
    expect(await counted(['a', 'b', 'c', 'd', 'e'])).toBe(8)
    expect(await counted(['a', 'b'], { timing: { concurrency: 1 } })).toBe(2)
    expect(await counted(['gate'])).toBe(1)
  })
})

describe('an interruption', () => {
  test('ends what acts and leaves the rest untried, without blaming anybody', async () => {
    const interrupt = new AbortController()
    const driven: string[] = []
    const first = scenario('first', () => {
      interrupt.abort()
      throw new Error('a consequence of it')
    })
    const next = scenario('next', () => void driven.push('next'))
    const session = await open([gate, first, next], {
      options: { signal: interrupt.signal },
      configuration: { timing: { concurrency: 1 } },
    })
    const outcomes = [await verdicts(session, 'first'), await verdicts(session, 'next')]
    expect(outcomes).toEqual([
      ['inconclusive: the run was interrupted'],
      ['inconclusive: the run was interrupted'],
    ])
    expect(driven).toEqual([])
    expect(session.failures).toEqual([])
    await session.close()
    expect(session.run.log.transcript().end).toMatchObject({ outcome: 'aborted' })
  })

  test('makes a drive that seems complete count for nothing', async () => {
    const interrupt = new AbortController()
    const session = await open([scenario('gate', () => interrupt.abort())], {
      options: { signal: interrupt.signal },
    })
    expect(await verdicts(session, 'gate')).toEqual(['inconclusive: the run was interrupted'])
  })
})

test('no more scenarios act at once than configured', async () => {
  let acting = 0
  let most = 0
  const act: Drive = async (fixtures) => {
    void answers(fixtures)
    acting += 1
    most = Math.max(most, acting)
    await new Promise((resolve) => setImmediate(resolve))
    acting -= 1
  }
  const ids = ['a', 'b', 'c', 'd', 'e']
  const session = await open([gate, ...ids.map((id) => scenario(id, act))], {
    configuration: { timing: { concurrency: 2 } },
  })
  await Promise.all(ids.map((id) => session.judge(id)))
  expect(most).toBe(2)
})

describe('where one acts at a time', () => {
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
  const one = { configuration: { timing: { concurrency: 1 } } }

  test('none begins before another has ended, though that one waits', async () => {
    const acting = new Set<string>()
    const crowds: string[][] = []
    const drive: Drive = async ({ recorder: { scenario: id }, offSlot, lendSlot }) => {
      acting.add(id)
      await Promise.all([offSlot(pause()), offSlot(pause())])
      await lendSlot(pause())
      if (acting.size > 1) crowds.push([...acting])
      acting.delete(id)
    }
    const ids = ['a', 'b', 'c', 'd', 'e']
    const session = await open([gate, ...ids.map((id) => scenario(id, drive))], one)
    await Promise.all(ids.map((id) => session.judge(id)))
    expect(crowds).toEqual([])
  })

  test('so it is where the gate has shown that need', async () => {
    const begun: string[] = []
    const acting = new Set<string>()
    const drive: Drive = async ({ recorder: { scenario: id }, lendSlot }) => {
      begun.push(id)
      acting.add(id)
      await lendSlot(pause())
      expect([...acting]).toEqual([id])
      acting.delete(id)
    }
    const serialGate = scenario('gate', async (fixtures) => {
      await pause()
      fixtures.recorder.record({ type: 'step', action: 'mark', detail: { name: 'serial' } })
      await answers(fixtures)
    })
    const ids = ['a', 'b', 'c', 'd', 'e']
    const serial = (t: Transcript): boolean => t.steps('mark').length > 0
    const session = await open([serialGate, ...ids.map((id) => scenario(id, drive))], {
      profile: { gate: { ...toyGate, serial } },
    })
    const found = await Promise.all(ids.map((id) => session.judge(id)))
    expect(found.flat().map(({ verdict }) => verdict)).toEqual(ids.map(() => 'pass'))
    expect(begun).toEqual(ids)
    expect(session.run.log.transcript().steps('one-at-a-time')).toHaveLength(1)
  })

  describe('where a second scenario shows that need', () => {
    const ids = ['a', 'b', 'c', 'd']

    /** What acts at the same time, where `b` is compared with the gate. */
    async function crowdsOf(isSerial: boolean, planned: readonly string[] = ids) {
      const acting = new Set<string>()
      const [begun, crowds]: [string[], string[][]] = [[], []]
      const drive: Drive = async ({ recorder, lendSlot, alone }) => {
        const id = recorder.scenario
        begun.push(`${id}${alone() ? ' alone' : ''}`)
        acting.add(id)
        recorder.record({ type: 'step', action: 'mark', detail: { name: id } })
        await lendSlot(pause())
        crowds.push([...acting])
        acting.delete(id)
      }
      const next = {
        scenario: 'b',
        soon: (t: Transcript) => t.steps('mark')[0],
        serial: (one: Transcript, other: Transcript) =>
          isSerial && one.steps('mark').length === 0 && other.steps('mark').length === 1,
      }
      const all = [gate, ...planned.map((id) => scenario(id, drive))]
      const session = await open(all, { profile: { gate: { ...toyGate, next } } })
      const found = await Promise.all(planned.map((id) => session.judge(id)))
      expect(found.flat().map(({ verdict }) => verdict)).toEqual(planned.map(() => 'pass'))
      const log = session.run.log.transcript()
      return { begun, crowds, told: log.steps('one-at-a-time').length }
    }

    test('it begins first, and then one after the other', async () => {
      const { begun, crowds, told } = await crowdsOf(true)
      expect(begun).toEqual(['b alone', 'a alone', 'c alone', 'd alone'])
      expect(crowds).toEqual([['b'], ['a'], ['c'], ['d']])
      expect(told).toBe(1)
    })

    test('it begins first, and the others beside it where it does not', async () => {
      const { begun, crowds, told } = await crowdsOf(false)
      expect(begun).toEqual(['b alone', 'a', 'c', 'd'])
      expect(crowds[0]).toEqual(['b', 'a', 'c', 'd'])
      expect(told).toBe(0)
    })

    test('another one takes its place where it is left out', async () => {
      const { begun } = await crowdsOf(true, ['a', 'c'])
      expect(begun).toEqual(['a alone', 'c alone'])
    })
  })

  test('who waits for others lets them act', async () => {
    const order: string[] = []
    const told = (id: string, wait: (fixtures: Parameters<Drive>[0]) => Promise<unknown>) =>
      scenario(id, async (fixtures) => {
        await wait(fixtures)
        order.push(id)
      })
    let met = (): void => undefined
    const meeting = new Promise<void>((resolve) => (met = resolve))
    const own = { ...told('own', ({ sharing }) => sharing()), ownInstance: true as const }
    const session = await open(
      [
        own,
        told('behind', ({ behind }) => behind(meeting)),
        told('gated', ({ gate: passed }) => passed()),
        told('meets', async () => met()),
        gate,
      ],
      one,
    )
    await Promise.all(['own', 'behind', 'gated', 'meets'].map((id) => session.judge(id)))
    expect(order.at(-1)).toBe('own')
    expect(order.toSorted()).toEqual(['behind', 'gated', 'meets', 'own'])
  })
})

test('a control and its scenario are driven at once', async () => {
  let meet = (): void => undefined
  const met = new Promise<void>((resolve) => (meet = resolve))
  const control = scenario('control', async (fixtures) => {
    await met
    return answers(fixtures)
  })
  const session = await open([gate, control, scenario('negative', meet, { control: 'control' })])
  expect(await verdicts(session, 'negative')).toEqual(['pass: it holds'])
})

describe('a scenario with an instance of its own', () => {
  const early = (events: string[]) =>
    scenario(
      'own',
      async ({ gate: passed }) => {
        events.push('started')
        await passed()
        events.push('acts')
      },
      { ownInstance: true },
    )
  const first = (events: string[], drive: Drive) =>
    scenario('gate', async (fixtures) => {
      await new Promise((resolve) => setImmediate(resolve))
      events.push('gate')
      await drive(fixtures)
    })

  test('starts it while the gate is driven, where the test bed can', async () => {
    const events: string[] = []
    const session = await open([first(events, answers), early(events)], {
      testBed: { startsEarly: true },
    })
    expect(await verdicts(session, 'own')).toEqual(['pass: it holds'])
    expect(events).toEqual(['started', 'gate', 'acts'])
  })

  test('starts it afterwards, where it cannot', async () => {
    const events: string[] = []
    const session = await open([first(events, answers), early(events)])
    await session.judge('own')
    expect(events).toEqual(['gate', 'started', 'acts'])
  })

  test('is not tried where the gate is not passed', async () => {
    const events: string[] = []
    const session = await open([first(events, () => undefined), early(events)], {
      testBed: { startsEarly: true },
    })
    expect(await verdicts(session, 'own')).toEqual([
      'inconclusive: not tried, because gate got no message from the implementation',
    ])
    expect(events).toEqual(['started', 'gate'])
    expect(session.transcripts().get('own')?.end).toMatchObject({ outcome: 'aborted' })
  })
})

test('what is told while it runs', async () => {
  const told: string[] = []
  const session = await open([gate, scenario('other', answers)], {
    options: { onDriven: (id, outcome) => told.push(`${id} ${outcome}`) },
  })
  await session.judge('other')
  expect(told.toSorted()).toEqual(['gate completed', 'other completed'])
})

describe('the folders of a run', () => {
  const folder = (): string => {
    const directory = mkdtempSync(join(tmpdir(), 'session-'))
    folders.push(directory)
    return directory
  }

  test('keep the transcripts and nothing of the work', async () => {
    const directory = join(folder(), 'run')
    let work = ''
    const session = await open([gate], {
      options: { directory, id: 'a-run' },
      profile: {
        open: async ({ workDirectory, run }) => {
          work = workDirectory
          expect([existsSync(work), run.id]).toEqual([true, 'a-run'])
          return {
            facts: {},
            fixtures: (context) => context,
            survived: async () => undefined,
            close: async () => undefined,
          }
        },
      },
    })
    await session.judge('gate')
    await session.close()
    expect(work.startsWith(directory)).toBe(true)
    expect(existsSync(work)).toBe(false)
    expect(readdirSync(directory)).toEqual(['transcripts'])
    expect(readdirSync(join(directory, 'transcripts')).sort()).toEqual(['gate.jsonl', 'run.jsonl'])
    const log = readFileSync(join(directory, 'transcripts', 'run.jsonl'), 'utf8')
    expect(log).toContain('"outcome":"completed"')
  })

  test('are gone when the surroundings cannot be opened', async () => {
    const directory = folder()
    const opening = open([gate], {
      options: { directory },
      profile: {
        open({ run }) {
          run.log.record({ type: 'output', source: 'shared stderr', text: 'no port', bytes: 7 })
          return Promise.reject(new Unreachable('nothing listens'))
        },
      },
    })
    await expect(opening).rejects.toMatchObject({
      code: 'unreachable',
      printed: ['shared stderr: no port'],
    })
    expect(readdirSync(directory).filter((name) => name.startsWith('.work'))).toEqual([])
    const log = readFileSync(join(directory, 'transcripts', 'run.jsonl'), 'utf8')
    expect(parseTranscript(log, 'run').end).toMatchObject({ outcome: 'aborted' })
  })

  test('are gone also when the surroundings cannot be closed', async () => {
    const directory = folder()
    const session = await open([gate], {
      options: { directory },
      testBed: { close: () => Promise.reject(new Error('stuck')) },
    })
    opened.splice(opened.indexOf(session), 1)
    await expect(session.close()).rejects.toThrow('stuck')
    expect(readdirSync(directory).filter((name) => name.startsWith('.work'))).toEqual([])
  })
})

test('a check that throws is a failure of the harness like any other', async () => {
  const broken: Check<Declared> = {
    ...passes,
    judge: () => {
      throw new TypeError('Invalid URL')
    },
  }
  const session = await open([scenario('gate', answers, { checks: [passes, broken] })])
  expect((await session.judge('gate')).map(({ verdict }) => verdict)).toEqual([
    'pass',
    'inconclusive',
  ])
  expect(session.failures).toHaveLength(1)
})

test.each(['code_verifier', 'client_assertion'])(
  'a %s that was shown before it was known is found, whatever was driven',
  async (kind) => {
    const text = 'shown_9fKq2ZrT7LmXw4Bn8'
    const shows = scenario('shows', ({ recorder }) => {
      recorder.record({ type: 'output', source: 'stdout', text, bytes: text.length })
      session.run.ledger.add(kind, text)
    })
    const session = await open([gate, shows])
    await session.judge('shows')
    expect(session.transcripts().get('shows')?.outputs()).toMatchObject([{ secrets: [{ kind }] }])
  },
)

test('recordings stand in the order of the catalogue, whichever began first', async () => {
  const session = await open([
    gate,
    scenario('first', () => undefined),
    scenario('second', answers),
  ])
  await session.judge('second')
  await session.judge('first')
  expect([...session.transcripts().keys()]).toEqual(['gate', 'first', 'second', runLog])
})
