/**
 * The run as JUnit XML, so that a dashboard agrees with the exit code: `fail` is a failure, a binding requirement
 * without proof an error, what is known, not applicable or not binding is skipped, and a warning passes with its text.
 */

import { isBinding, type Finding } from '../harness/index.ts'
import { knownReason } from './baseline.ts'
import type { Transcripts } from './evidence.ts'
import { findingText } from './finding-text.ts'
import type { RunRecord, ScenarioRecord } from './run-record.ts'
import { xmlDocument, type Element } from './xml.ts'

/** The JUnit report: a test suite per scenario, a test case per finding. */
export function junitXml(record: RunRecord, transcripts: Transcripts): string {
  const suites = record.scenarios
    .map((scenario) => suiteOf(scenario, record, transcripts))
    .filter((suite) => suite !== undefined)
  const total = (key: 'tests' | 'failures' | 'errors' | 'skipped'): number =>
    suites.reduce((sum, { counts }) => sum + counts[key], 0)
  const name = `${record.suite.name} ${record.profile}${record.partial ? ' (partial)' : ''}`
  return xmlDocument({
    name: 'testsuites',
    attributes: {
      name: `${name}: ${record.implementation.name}`,
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
      skipped: total('skipped'),
      time: seconds(record.durationMs),
      timestamp: record.started,
    },
    children: suites.map(({ element }) => element),
  })
}

function suiteOf(scenario: ScenarioRecord, record: RunRecord, transcripts: Transcripts) {
  const findings = record.findings.filter((finding) => finding.scenario === scenario.id)
  const broken = record.failures.filter((failure) => failure.scenario === scenario.id)
  if (findings.length === 0 && broken.length === 0) return undefined
  const cases = findings.map((finding) => caseOf(finding, record, transcripts))
  const having = (name: string): number =>
    cases.filter((each) =>
      each.children?.some((child) => typeof child !== 'string' && child.name === name),
    ).length
  const counts = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  }
  const trouble = broken.map(({ message }) => `The harness failed: ${message}`).join('\n')
  const element: Element = {
    name: 'testsuite',
    attributes: {
      name: scenario.id,
      ...counts,
      time: seconds(scenario.durationMs),
      timestamp: record.started,
    },
    children: [...cases, ...(trouble ? [{ name: 'system-err', children: [trouble] }] : [])],
  }
  return { counts, element }
}

function caseOf(finding: Finding, record: RunRecord, transcripts: Transcripts): Element {
  return {
    name: 'testcase',
    attributes: {
      classname: `${record.profile}.${finding.scenario}`,
      name: `${finding.requirement}: ${finding.title}`,
      time: 0,
    },
    children: outcomeOf(finding, record, transcripts),
  }
}

function outcomeOf(finding: Finding, record: RunRecord, transcripts: Transcripts): Element[] {
  const { message, verdict, requirement, keyword, basis } = finding
  const text = (): string =>
    findingText(
      finding,
      record.requirements.find(({ id }) => id === requirement),
      transcripts,
    )
  const attributes = { message, type: `${basis} ${keyword}` }
  const known = knownReason(record, finding)
  if (known !== undefined) {
    return [{ name: 'skipped', attributes: { message: `known: ${known}: ${message}` } }]
  }
  if (verdict === 'fail') return [{ name: 'failure', attributes, children: [text()] }]
  if (verdict === 'warn') return [{ name: 'system-out', children: [`Warning: ${text()}`] }]
  if (verdict === 'not-applicable') {
    return [{ name: 'skipped', attributes: { message: `not applicable: ${message}` } }]
  }
  if (verdict === 'pass') return []
  return isBinding(finding, record.strict)
    ? [{ name: 'error', attributes: { message, type: 'inconclusive' }, children: [text()] }]
    : [{ name: 'skipped', attributes: { message: `inconclusive: ${message}` } }]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
