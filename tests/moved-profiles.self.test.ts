/** Clocks that are moved in every profile whose scenarios ask for it: who keeps what is declared, and who does not. */

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findLibrary } from '../harness/parties/facilities.ts'
import { conformance as agent } from '../suites/adk-credential/agent/reference/conformance.ts'
import { conformance as delegated } from '../suites/mcp/delegated-authorization/server/reference/conformance.ts'
import { conformance as elicitation } from '../suites/mcp/url-elicitation/server/reference/conformance.ts'
import { settings as ofManager } from '../suites/penguiflow-oauth/manager/proof/settings.ts'
import { conformance as manager } from '../suites/penguiflow-oauth/manager/reference/conformance.ts'
import { certify } from './run-cli.ts'

type Settings = Readonly<Record<string, unknown>>

interface Reference {
  readonly profile: string
  /** How it is configured; with a defect where one is named. */
  readonly settings: (defect?: string) => Settings
}

/** A program of Node, whose variations are named by its environment. */
function node(profile: string, folder: string, own: Settings & { readonly target: Settings }) {
  const program = (file: string) =>
    fileURLToPath(new URL(`../dist/suites/${folder}/reference/${file}.js`, import.meta.url))
  const settings: Reference['settings'] = (defect) => {
    const command = [process.execPath, program(defect === undefined ? 'main' : 'varied')]
    const env = { ...(own.target['env'] as Settings), ...(defect && { DEFECT: defect }) }
    return { ...own, target: { ...own.target, command, env } }
  }
  return { profile, settings }
}

const { main = [], varied = [] } = ofManager.programs ?? {}
const managers: Reference = {
  profile: 'penguiflow-oauth/manager',
  // Its adapter moves no clock: only ours is left.
  settings: (defect) => ({
    ...manager,
    target: {
      command: defect === undefined ? main : varied,
      env: defect ? { DEFECT: defect } : {},
    },
    declares: { ...manager.declares, clock: false },
  }),
}
const agents = node('adk-credential/agent', 'adk-credential/agent', {
  ...agent,
  declares: { ...agent.declares, refreshLeeway: '60s' },
})
const eliciting = node('mcp-url-elicitation/server', 'mcp/url-elicitation/server', elicitation)
const delegating = node(
  'mcp-delegated-authorization/server',
  'mcp/delegated-authorization/server',
  delegated,
)

async function driven(profile: string, settings: Settings, scenario: string) {
  const target = { ...(settings['target'] as Settings), clock: 'jump' }
  const { record } = await certify(
    { ...settings, profile, implementation: { name: 'reference' }, target },
    { args: ['--filter', scenario] },
  )
  expect(record.failures).toEqual([])
  const clock = record.facts['clock'] as { moved: string[]; real: Record<string, string> }
  return { clock, found: record.findings.filter((each) => each.scenario === scenario) }
}

async function judged({ profile, settings }: Reference, scenario: string, defect?: string) {
  const { clock, found } = await driven(profile, settings(defect), scenario)
  expect(clock.real).toEqual({})
  expect(clock.moved).toContain(scenario)
  return Object.fromEntries(found.map((each) => [each.requirement, each.verdict]))
}

const refreshes = 'oauth-client/refresh-expired-token'
const flows = 'penguiflow-oauth/manager/pending-expires'
const expiry = 'penguiflow-oauth/manager/expired-token'

type Case = readonly [Reference, scenario: string, defect: string | undefined, Settings]

const cases: readonly Case[] = [
  [managers, 'callback-in-time', undefined, { [flows]: 'pass' }],
  [managers, 'callback-in-time', 'flows-forgotten-early', { [flows]: 'fail' }],
  [managers, 'callback-too-late', undefined, { [flows]: 'pass' }],
  [managers, 'callback-too-late', 'flows-never-expire', { [flows]: 'fail' }],
  [managers, 'token-expires', undefined, { [expiry]: 'pass' }],
  [managers, 'token-expires', 'expiry-ignored', { [expiry]: 'fail' }],
  [agents, 'access-token-expired', undefined, { [refreshes]: 'pass' }],
  [agents, 'access-token-expired', 'no-leeway', { [refreshes]: 'warn' }],
  [eliciting, 'access-token-expired', undefined, { [refreshes]: 'pass' }],
  [eliciting, 'access-token-expired', 'refresh-not-used', { [refreshes]: 'warn' }],
  [delegating, 'access-token-expired', undefined, { [refreshes]: 'pass' }],
  [delegating, 'access-token-expired', 'credentials-not-kept', { [refreshes]: 'warn' }],
]
const titled = cases.map(
  (each) => [`${each[0].profile}: ${each[2] ?? 'as it should be'} (${each[1]})`, each] as const,
)

describe.skipIf(!findLibrary('libfaketime'))('a moved clock shows', () => {
  test.for(titled)('%s', async ([, [reference, scenario, defect, expected]]) => {
    expect(await judged(reference, scenario, defect)).toMatchObject(expected)
  })
})

describe.skipIf(!findLibrary('libfaketime'))('a manager that goes by another clock', () => {
  test.for<[string, Settings, string, string]>([
    [
      'is not waited for longer than the run may',
      {},
      'inconclusive',
      'longer than the run may wait',
    ],
    [
      'is waited for, and keeps a flow for ten minutes',
      { pendingFor: '5s' },
      'fail',
      'after the time of its flow',
    ],
    ['has an adapter that moves it', { clock: true }, 'pass', 'no token request followed'],
  ])('%s', async ([, declares, verdict, message]) => {
    const {
      target,
      declares: usual,
      ...own
    } = managers.settings() as {
      target: Settings
      declares: Settings
    }
    // What is configured stays, so that what we write is read by nobody.
    const env = { FAKETIME_TIMESTAMP_FILE: '/dev/null' }
    const settings = { ...own, target: { ...target, env }, declares: { ...usual, ...declares } }
    const { clock, found } = await driven(managers.profile, settings, 'callback-too-late')
    expect(clock.moved).toEqual([])
    expect(clock.real['callback-too-late']).toContain('its Date is still')
    const ofFlows = found.filter(({ requirement }) => requirement === flows)
    expect(ofFlows).toMatchObject([
      { verdict, message: expect.stringContaining(message) as string },
    ])
  })
})
