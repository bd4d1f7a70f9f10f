import { flowPerCall, storedTokens } from '../../../oauth-client/scenarios/needs.ts'
import { describe, expect, test } from 'vitest'
import type { Need } from '../../../../harness/engine/index.ts'
import { handoff } from '../handoff.ts'
import { recording, type Recording } from '../testing.ts'
import { asksFor, callsTogether, requestWhileInvoked, startsAllTheSame } from './needs.ts'

const second = { auth_url: 'https://provider.test/authorize?state=other' }
const bothPending = (more = {}): Recording => recording().invoke().invoke(more).on('call-1').oauth()
const instance = (name: string): Recording => recording('own').step('deployment', { name })
const metadata = '/.well-known/oauth-authorization-server'

const examples: readonly [string, Need, Record<string, Recording>, Record<string, Recording>][] = [
  [
    'a token that is kept',
    storedTokens(handoff),
    {
      'a call without consent': recording()
        .completed()
        .invoke()
        .on('call-1')
        .access()
        .on('call-2')
        .result(),
    },
    { 'consent every time': recording().completed().completed() },
  ],
  [
    'a flow for every call',
    flowPerCall(handoff),
    { 'two URLs': bothPending().on('call-2').oauth(second) },
    {
      'one URL for both': bothPending().on('call-2').oauth(),
      'one after the other': recording().completed().invoke().oauth(second),
      'another user': bothPending({ user_id: 'user-2' }).on('call-2').oauth(second),
      'nobody in particular': recording()
        .invoke({ user_id: null })
        .invoke({ user_id: null })
        .on('call-1')
        .oauth()
        .on('call-2')
        .oauth(second),
    },
  ],
  [
    'two calls that wait together',
    callsTogether,
    {
      'each with a consent of its own': recording()
        .asked()
        .authorized()
        .access()
        .result()
        .on('call-1')
        .grant()
        .access()
        .result(),
      'one consent for both': recording()
        .invoke()
        .authorized()
        .access()
        .result()
        .on('call-1')
        .result(),
    },
    {
      'one has given way': recording()
        .asked()
        .authorized()
        .access()
        .result()
        .on('call-1')
        .result('Error: another call'),
      'the stored token serves the other': recording().completed().invoke().access().result(),
      'another user': recording()
        .asked()
        .authorized({ user_id: 'user-2' })
        .access()
        .result()
        .on('call-1')
        .grant()
        .access()
        .result(),
    },
  ],
  [
    'consent for an unusual caller',
    asksFor('own', 'whose user_id is a number'),
    { 'an oauth message': recording('own').asked() },
    {
      'a result in place of it': recording('own')
        .invoke()
        .result('Error: this user_id is too long'),
      'an oauth message elsewhere': recording('another').asked(),
    },
  ],
  [
    'metadata during a call',
    requestWhileInvoked('the metadata', (path) => path.startsWith('/.well-known/')),
    { 'while the call waits': recording().invoke().upstream(metadata).oauth() },
    {
      'before the call': recording().upstream(metadata).invoke().oauth(),
      'after its answer': recording().invoke().oauth().upstream(metadata),
      'another address': recording().invoke().upstream('/token').oauth(),
    },
  ],
  [
    'a start with useless metadata',
    startsAllTheSame('own'),
    { 'an instance of its own': instance('own-own') },
    { 'the shared one only': instance('shared') },
  ],
]

describe.each(examples)('%s', (_, need, offered, missing) => {
  test.each(Object.entries(offered))('is offered: %s', (__, { scenario, transcript }) => {
    expect(need.seen(new Map([[scenario, transcript]]))).toBeDefined()
  })

  test.each(Object.entries(missing))('is not offered: %s', (__, { scenario, transcript }) => {
    expect(need.seen(new Map([[scenario, transcript]]))).toBeUndefined()
  })
})
