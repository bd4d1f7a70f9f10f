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

async function judged({ profile, settings }: Reference, scenario: string, defect?: string) {
  const own = settings(defect)
  const { record } = await certify(
    {
      ...own,
      profile,
      implementation: { name: 'reference' },
      target: { ...(own['target'] as Settings), clock: 'jump' },
    },
    { args: ['--filter', scenario] },
  )
  expect(record.failures).toEqual([])
  const { moved, real } = record.facts['clock'] as { moved: string[]; real: object }
  expect(real).toEqual({})
  expect(moved).toContain(scenario)
  const found = record.findings.filter((each) => each.scenario === scenario)
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
