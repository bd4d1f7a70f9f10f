/**
 * The run as JUnit XML, so that a dashboard agrees with the exit code: `fail` is a failure, a binding requirement
 * without proof an error, what is known, not offered, not applicable or not binding is skipped, and a warning passes
 * with its text.
 */

import { unproven, type Finding } from '../../harness/engine/index.ts'
import { knownReason } from '../record/baseline.ts'
import type { Transcripts } from './evidence.ts'
import { findingText } from './finding-text.ts'
import type { RunRecord, ScenarioRecord } from '../record/run-record.ts'
import { xmlDocument, type Element } from './xml.ts'

/** The JUnit report: a test suite per scenario, a test case per finding. */
export function junitXml(record: RunRecord, transcripts: Transcripts): string {
  const suites = record.scenarios
    .map((scenario) => suiteOf(scenario, record, transcripts))
    .filter((suite) => suite !== undefined)
    .concat(baselineSuite(record))
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

/** A baseline that is out of date fails the run (exit code 4): one case for each of its problems. */
function baselineSuite({ baseline, profile, started }: RunRecord) {
  const problems = baseline ? baseline.problems : []
  if (problems.length === 0) return []
  const counts = { tests: problems.length, failures: problems.length, errors: 0, skipped: 0 }
  const cases = problems.map((message): Element => ({
    name: 'testcase',
    attributes: { classname: `${profile}.baseline`, name: message, time: 0 },
    children: [{ name: 'failure', attributes: { message, type: 'baseline' } }],
  }))
  const attributes = { name: 'baseline', ...counts, time: 0, timestamp: started }
  return [{ counts, element: { name: 'testsuite', attributes, children: cases } }]
}

/** What the run was judged by; dashboards show them beside the suite. */
function propertiesOf({ specification, profile, suite }: RunRecord): Element {
  const { title, revision, published } = specification
  const properties = {
    profile,
    'suite.version': suite.version,
    'suite.catalogue': suite.catalogue.digest,
    'specification.title': title,
    'specification.revision': revision,
    'specification.published': published,
  }
  return {
    name: 'properties',
    children: Object.entries(properties).map(([name, value]) => ({
      name: 'property',
      attributes: { name, value },
    })),
  }
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
    children: [
      propertiesOf(record),
      ...cases,
      ...(trouble ? [{ name: 'system-err', children: [trouble] }] : []),
    ],
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
  const { message, verdict, keyword, basis } = finding
  const text = (): string => findingText(finding, record, transcripts)
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
  const word = verdict === 'not-offered' ? 'not offered' : verdict
  return unproven(record.findings, record.strict).includes(finding)
    ? [{ name: 'error', attributes: { message, type: verdict }, children: [text()] }]
    : [{ name: 'skipped', attributes: { message: `${word}: ${message}` } }]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
