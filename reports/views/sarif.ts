/**
 * The run as SARIF 2.1.0 (OASIS): a rule per requirement, a result per finding that somebody should look at. Passes are
 * left out, because code scanning services show every result as an alert; `results.json` has them.
 */

import { isBinding, printable, type Finding } from '../../harness/engine/index.ts'
import { knownReason } from '../record/baseline.ts'
import { sha256 } from '../record/catalogue.ts'
import { safeLink } from './safe-link.ts'
import type { RequirementRecord, RunRecord } from '../record/run-record.ts'

/** The published schema (SARIF 2.1.0 with Errata 01). */
export const sarifSchema =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** The folder of the run, against which the paths of transcripts are relative (§3.4.4). */
const folder = 'RUN'

/** The log as JSON. */
export function sarifJson(record: RunRecord): string {
  const shown = record.findings.filter(({ verdict }) => isShown(verdict))
  const rules = record.requirements.filter(({ excluded }) => excluded === undefined)
  const log = {
    $schema: sarifSchema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: printable(record.suite.name, 200),
            version: printable(record.suite.version, 100),
            rules: rules.map((rule) => ruleOf(rule, record)),
          },
        },
        automationDetails: {
          id: `${printable(record.profile, 200)}/${printable(record.run, 100)}`,
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          [folder]: { description: { text: 'The folder of the run, with results.json in it.' } },
        },
        invocations: [invocationOf(record)],
        results: shown.map((finding) => resultOf(finding, rules, record)),
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function isShown(verdict: Finding['verdict']): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive'
}

function ruleOf(
  { id, keyword, basis, source, links, text, mend }: RequirementRecord,
  { strict, specification }: RunRecord,
) {
  const helpUri = safeLink(links[0]?.url) ?? safeLink(specification.published)
  return {
    id: printable(id, 200),
    shortDescription: { text: printable(text, 600) || id },
    ...(helpUri === undefined ? {} : { helpUri }),
    help: {
      text: [
        `${printable(text, 600)} (${keyword}, ${basis}, ${printable(source, 200)})`,
        ...(mend === undefined ? [] : [`To fix: ${printable(mend, 600)}`]),
      ].join('\n'),
    },
    defaultConfiguration: { level: isBinding({ keyword, basis }, strict) ? 'error' : 'warning' },
    properties: { keyword, basis, source: printable(source, 200), tags: ['conformance', basis] },
  }
}

function resultOf(finding: Finding, rules: readonly RequirementRecord[], record: RunRecord) {
  const { requirement, scenario, verdict, message, expected, actual } = finding
  const text = [
    printable(message, 1000),
    ...(expected === undefined ? [] : [`Expected: ${printable(expected, 1000)}`]),
    ...(actual === undefined ? [] : [`Found: ${printable(actual, 1000)}`]),
  ].join('\n')
  const known = knownReason(record, finding)
  const ruleIndex = rules.findIndex(({ id }) => id === requirement)
  return {
    ruleId: printable(requirement, 200),
    ...(ruleIndex < 0 ? {} : { ruleIndex }),
    // §3.27.9: "open" is insufficient information to decide; §3.27.10: its level is "none".
    ...(verdict === 'inconclusive'
      ? { kind: 'open', level: 'none' }
      : { kind: 'fail', level: verdict === 'fail' ? 'error' : 'warning' }),
    message: { text: text || 'no message' },
    locations: [locationOf(finding, record)],
    ...(known === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: printable(known, 1000) || 'none' }] }),
    partialFingerprints: {
      'requirementAndScenario/v1': sha256(`${record.profile} ${requirement} ${scenario}`),
    },
  }
}

/** The line of the first event that the finding rests on; a transcript has a header and then an event per line. */
function locationOf({ scenario, evidence }: Finding, { scenarios }: RunRecord) {
  const [first] = evidence
  const file = scenarios.find(({ id }) => id === (first?.scenario ?? scenario))?.transcript?.file
  return {
    physicalLocation: {
      artifactLocation: { uri: encodePath(file ?? 'results.json'), uriBaseId: folder },
      region: { startLine: file !== undefined && first ? lineOf(first.seq) : 1 },
    },
    logicalLocations: [{ name: printable(scenario, 200) || 'scenario', kind: 'member' }],
  }
}

function lineOf(seq: number): number {
  return Number.isSafeInteger(seq) && seq >= 1 ? seq + 1 : 1
}

/** A relative reference (RFC 3986 §4.2) whatever the path is made of. */
function encodePath(path: string): string {
  return path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map((segment) => encodeURIComponent(segment))
    .join('/')
}

function invocationOf({ failures, exit, started, finished, interrupted }: RunRecord) {
  return {
    executionSuccessful: failures.length === 0 && !interrupted,
    exitCode: exit.code,
    exitCodeDescription: printable(exit.reason, 600) || 'none',
    startTimeUtc: started,
    endTimeUtc: finished,
    toolExecutionNotifications: failures.map(({ scenario, message }) => ({
      level: 'error',
      message: { text: `${printable(scenario, 200)}: ${printable(message, 1000)}` },
    })),
  }
}
