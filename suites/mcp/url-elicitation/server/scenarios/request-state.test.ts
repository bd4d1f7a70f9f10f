import { describe, expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { altered, grown } from './altered-state.ts'
import { requestStateScenarios } from './request-state.ts'

const other = { user: 'user-2', connection: 'connection-2' }
const authorized = () => recording().begin().input().authorized()

const served = authorized().begin(other).on('call-1').access().on('call-2').result()

const cases: Cases = {
  pass: {
    'it is rejected': authorized().begin(other).fails(),
    'both are rejected': authorized().begin(other).fails().begin(other).failed(),
    'it fails in words': authorized().begin(other).failed(),
    'the other one is asked': authorized().begin(other).input(),
    'it had meant something before': recording().served().begin(other).input(),
  },
  violation: {
    'the other one is served': served,
    'the second of two is served': authorized()
      .begin(other)
      .fails()
      .begin(other)
      .on('call-1')
      .access()
      .on('call-3')
      .result(),
  },
  inconclusive: {
    'nobody had authorized': recording().begin().input().begin(other).fails(),
    'nobody came with it': authorized(),
    'there was no answer': authorized().begin(other),
    'one of two was not answered': authorized().begin(other).fails().begin(other),
  },
}

const came = () => recording().begin().after(10).input().begin()
const later = (t: ReturnType<typeof came>) => t.after(1000).on('call-1').authorized().on('call-2')

const otherRequest: Cases = {
  pass: {
    'it is rejected': later(came().fails()),
    'it fails in words': later(came().failed()),
    'its user is asked anew': later(came().input()),
    'it was answered before, whatever it was': later(came().result()),
    'it fails when the user has authorized': later(came()).failed(),
    'it is never answered': later(came()),
  },
  violation: {
    'it waits, and is served then': later(came()).result(),
  },
  inconclusive: {
    'nobody came with it': recording().begin().input().authorized(),
    'nobody has authorized': came().result(),
    'it had hardly any time': came().on('call-1').authorized().on('call-2').result(),
  },
}

describeExamples(
  requestStateScenarios,
  {
    'altered-state': {
      'mcp-url-elicitation/server/state-integrity': {
        ...cases,
        inconclusive: {
          ...cases.inconclusive,
          'nobody can be told apart': [served, { authorization: false }],
        },
        pass: {
          ...cases.pass,
          'no state is given': recording().begin().input({ requestState: undefined }).authorized(),
        },
      },
    },
    'foreign-state': { 'mcp-url-elicitation/server/state-bound': cases },
    'state-of-another-request': {
      'mcp-url-elicitation/server/state-for-its-request': otherRequest,
    },
  },
  options,
)

describe('state', () => {
  test('is altered in one character', () => {
    expect(altered('abcde')).toEqual(['abAde'])
    expect(altered('abAde')).toEqual(['abBde'])
    expect(altered('')).toEqual(['A'])
    expect(grown('abcde')).toBe('abAde')
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('has another value of each member where it can be read', () => {
    const changes = [
      { user: { id: 'aAc' }, until: 7, once: true },
      { user: { id: 'abc' }, until: 8, once: true },
      { user: { id: 'abc' }, until: 7, once: false },
    ].map(encoded)
    const state = encoded({ user: { id: 'abc' }, until: 7, once: true })
    expect(altered(state)).toEqual(changes)
    expect(altered(`v1.${state}.signature`)).toEqual(changes.map((each) => `v1.${each}.signature`))
  })

  test('has one member more where it can be read', () => {
    const changed = encoded({ user: 'a', altered: true })
    expect(grown(encoded({ user: 'a' }))).toBe(changed)
    expect(grown(`v1.${encoded({ user: 'a' })}.signature`)).toBe(`v1.${changed}.signature`)
  })

  test('is seen wherever it is given', () => {
    const foreign = requestStateScenarios.find(({ id }) => id === 'foreign-state')
    const seen = (t: ReturnType<typeof recording>) =>
      foreign?.needs?.seen(new Map([['x', t.transcript]]))
    expect(seen(recording().begin().input())).toBeDefined()
    expect(seen(recording().begin().input({ requestState: undefined }).elicit())).toBeUndefined()
  })
})
