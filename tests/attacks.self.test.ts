/**
 * The attack list: what a vendor, a file or an implementation tries, and that it is refused, detected or bounded. Almost
 * all of it forges one recorded run and reads it back in this process. The table of it stands in SECURITY.md.
 */

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { compare } from '../cli/commands/compare.ts'
import { judge } from '../cli/commands/judge.ts'
import { merge } from '../cli/commands/merge.ts'
import { report } from '../cli/commands/report.ts'
import { exitOf } from '../cli/outcome/decide-exit.ts'
import { alteredRecordings } from '../cli/outcome/store-run.ts'
import { packageInfo } from '../cli/package-info.ts'
import { Recorder, SecretLedger, stimuliOf } from '../harness/engine/index.ts'
import {
  certificationType,
  certifiedSettings,
  digestBundle,
  generateKeys,
  makeStatement,
  parseRunRecord,
  payloadType,
  publicJwk,
  readPrivateKey,
  readPublicKeys,
  readResults,
  readStoredRun,
  resultsJson,
  sha256,
  signEnvelope,
  verifyBundle,
  type RunRecord,
} from '../reports/index.ts'
import { profiles } from '../suites/registry.ts'
import { scratch } from './run-cli.ts'

const { folder: honest } = inject('recorded')['rap-oauth/tool']!
const profile = profiles.find(({ id }) => id === 'rap-oauth/tool')!
const pair = generateKeys('ed25519')
const key = readPrivateKey(pair.privateKey)
const folders: string[] = []
const transcript = 'transcripts/denied-consent.jsonl'

/** How many attacks ended how; printed at the end. */
const figures = { refused: 0, detected: 0, bounded: 0 }
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
afterAll(() => {
  const all = figures.refused + figures.detected + figures.bounded
  const { refused, detected, bounded } = figures
  console.log(`${all} attacks: ${refused} refused, ${detected} detected, ${bounded} bounded`)
})

/** A copy of the run as a bundle that its vendor signed. */
function copy(): string {
  const folder = scratch()
  folders.push(folder)
  const bundle = join(folder, 'bundle')
  cpSync(honest, bundle, { recursive: true })
  return bundle
}

interface Signing {
  readonly issued?: Date
  readonly days?: number
  readonly statement?: (statement: object) => object
  readonly payload?: (json: string) => string
}

async function sign(bundle: string, signing: Signing = {}): Promise<void> {
  const record = readResults(join(bundle, 'results.json'))
  const { issued = new Date(), days = 365, statement = (s) => s, payload = (p) => p } = signing
  const made = makeStatement({
    record,
    files: digestBundle(bundle),
    artifacts: new Map(),
    settings: certifiedSettings(record, profile),
    issued,
    expires: new Date(issued.getTime() + days * 24 * 3600 * 1000),
  })
  const json = payload(JSON.stringify(statement(made)))
  const envelope = await signEnvelope(payloadType, Buffer.from(json), key)
  writeFileSync(join(bundle, 'attestation.json'), JSON.stringify(envelope))
}

async function verify(bundle: string, keys = readPublicKeys(pair.publicKey)): Promise<string> {
  const { record } = await verifyBundle(bundle, {
    keys,
    suite: packageInfo,
    decideExit: exitOf,
    findProfile: (id) => profiles.find((each) => each.id === id),
    now: new Date(Date.now() + 1000),
  })
  return record.verdict
}

/** Refused, with this reason, and before anybody would lose patience. */
async function refuses(act: () => unknown, why: RegExp | string): Promise<void> {
  const begun = performance.now()
  await expect((async () => act())()).rejects.toThrow(why)
  expect(performance.now() - begun).toBeLessThan(20_000)
  figures.refused += 1
}

type Loose = Record<string, unknown>

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  expect(after, `the attack changes ${file}`).not.toBe(before)
  writeFileSync(file, after)
}

/** Edits the run record, which then names the transcripts as they are. */
function editRecord(bundle: string, change: (record: RunRecord) => RunRecord): void {
  const file = join(bundle, 'results.json')
  const edited = change(readResults(file))
  const named = <T extends { readonly file: string }>(stored: T): T => ({
    ...stored,
    digest: sha256(readFileSync(join(bundle, stored.file))),
  })
  const scenarios = edited.scenarios.map((row) =>
    row.transcript ? { ...row, transcript: named(row.transcript) } : row,
  )
  const log = edited.log ? { log: named(edited.log) } : {}
  writeFileSync(file, resultsJson(parseRunRecord({ ...edited, scenarios, ...log })))
}

const row =
  (change: (row: RunRecord['scenarios'][number]) => RunRecord['scenarios'][number]) =>
  (record: RunRecord): RunRecord => ({
    ...record,
    scenarios: record.scenarios.map((each) => (each.id === 'denied-consent' ? change(each) : each)),
  })

/** The tolerance is edited wherever it stands, so that nothing contradicts it. */
const timing =
  (name: string, ms: number) =>
  (record: RunRecord): RunRecord => ({
    ...record,
    settings: { ...record.settings, [`${name}Ms`]: ms },
    configuration: {
      ...record.configuration,
      timing: { ...(record.configuration['timing'] as Loose), [name]: ms },
    },
  })

const suite = (change: Loose) => (record: RunRecord) =>
  ({ ...record, suite: { ...record.suite, ...change } }) as RunRecord
const catalogue = (change: Loose) => (record: RunRecord) =>
  suite({ catalogue: { ...record.suite.catalogue, ...change } })(record)
const fields = (change: Loose) => (record: RunRecord) => ({ ...record, ...change }) as RunRecord

describe('a run as it was', () => {
  beforeAll(() => expect(readdirSync(honest)).toContain('results.json'))

  test('is verified once it is signed', async () => {
    const bundle = copy()
    await sign(bundle)
    expect(await verify(bundle)).toBe(readResults(join(bundle, 'results.json')).verdict)
  })
})

describe('an implementation that looks for the suite', () => {
  test.each(Object.entries(inject('recorded')))(
    'finds no name of it in what it is sent as %s',
    (id, { folder }) => {
      const channels = stimuliOf(profiles.find((each) => each.id === id)!.diagram)
      const { transcripts } = readStoredRun(folder)
      // What the suite asks, and what it answers.
      const sent = [...transcripts.values()].flatMap(({ events }) =>
        events.filter((event) =>
          event.type === 'request'
            ? channels.includes(event.channel)
            : event.type === 'response' && !channels.includes(event.channel),
        ),
      )
      expect(sent.length).toBeGreaterThan(50)
      expect(sent.filter((event) => /conformance|\baoc\b/i.test(JSON.stringify(event)))).toEqual([])
      figures.bounded += 1
    },
  )
})

describe('a vendor who edits the run record and signs it', () => {
  test.each<[string, (record: RunRecord) => RunRecord, RegExp]>([
    ['a longer acknowledgement', timing('ack', 600_000), /allowed for an acknowledgement 600000/],
    ['a longer grace', timing('grace', 25_000), /allowed beyond a declared timeout 25000 ms/],
    ['a shorter observation', timing('observe', 10), /watched for what must not happen 10 ms/],
    ['a longer observation', timing('observe', 9000), /watched for what must not happen 9000 ms/],
    ['shorter steps', timing('step', 1), /waited for one step 1 ms/],
    ['less patience', timing('maxWait', 1), /waited for anything 1 ms/],
    [
      'settings beside the configuration',
      (record) => fields({ settings: { ...record.settings, stepMs: 9000 } })(record),
      /settings is not what was configured/,
    ],
    [
      'an ability that was declared, undeclared',
      (record) => fields({ declared: { ...record.declared, refreshTokens: false } })(record),
      /declared is not what was configured/,
    ],
    ['strictness', fields({ strict: true }), /strict is not what was configured|exit is another/],
    [
      'another name',
      fields({ implementation: { name: 'another tool' } }),
      /implementation is not what was configured/,
    ],
    ['another suite', suite({ name: 'a better suite' }), /it was made by/],
    ['another catalogue', catalogue({ digest: `sha256:${'0'.repeat(64)}` }), /another catalogue/],
    ['other code', catalogue({ code: `sha256:${'0'.repeat(64)}` }), /judged by other code/],
    ['more checks', catalogue({ checks: 9999 }), /suite.catalogue is another/],
    [
      'another document',
      fields({ specification: { title: 'x', revision: 'x', published: 'x' } }),
      /specification is another/,
    ],
    [
      'a nonce on recordings that are older',
      fields({ nonce: 'given-by-a-buyer-today' }),
      /the names in the recording of .* were not made for its nonce/,
    ],
    ['another gate', fields({ gate: 'denied-consent' }), /gate is another/],
    [
      'other lanes',
      (record) => fields({ diagram: { ...record.diagram, user: 'tool' } })(record),
      /diagram is another/,
    ],
    [
      'another version of the environment',
      (record) => fields({ environment: { ...record.environment, suite: '9.9.9' } })(record),
      /environment.suite is another/,
    ],
    [
      'another exit reason',
      (record) => fields({ exit: { ...record.exit, reason: 'best of all' } })(record),
      /exit is another/,
    ],
    [
      'another exit code',
      (record) => fields({ exit: { ...record.exit, code: 77 } })(record),
      /exit is another/,
    ],
    ['another title', row((each) => ({ ...each, title: 'x' })), /its title is another/],
    [
      'another control',
      row((each) => ({ ...each, control: 'denied-consent' })),
      /its control is another/,
    ],
    [
      'another outcome',
      row((each) => ({ ...each, outcome: 'not-applicable' })),
      /its outcome is another/,
    ],
    ['a reason', row((each) => ({ ...each, reason: 'the network' })), /its reason is another/],
    ['another duration', row((each) => ({ ...each, durationMs: 1 })), /its duration is another/],
    [
      'a scenario less',
      (record) => fields({ scenarios: record.scenarios.slice(1) })(record),
      /scenarios are not those of the catalogue/,
    ],
    [
      'scenarios in another order',
      (record) => fields({ scenarios: record.scenarios.toReversed() })(record),
      /scenarios are not those of the catalogue/,
    ],
    [
      'no log',
      (record) =>
        Object.fromEntries(
          Object.entries(record).filter(([name]) => name !== 'log'),
        ) as unknown as RunRecord,
      /no recording of what belongs to no scenario/,
    ],
    [
      'an end before its beginning',
      fields({ finished: '2020-01-01T00:00:00.000Z' }),
      /finished before it started/,
    ],
    ['another length', fields({ durationMs: 1 }), /not the time from started to finished/],
    [
      'less time than was recorded',
      (record) => fields({ finished: record.started, durationMs: 0 })(record),
      /recorded more time than it took/,
    ],
    ['a part', fields({ partial: { filters: ['x'] } }), /only a part/],
    ['a baseline', fields({ baseline: { known: [], problems: [] } }), /a baseline/],
    ['one of many', fields({ repetition: { number: 1, of: 2 } }), /one of 2 repetitions/],
    ['an interrupted run', fields({ interrupted: 'SIGINT' }), /interrupted by SIGINT/],
    [
      'a failure of the harness',
      fields({ failures: [{ scenario: 'run', message: 'x' }] }),
      /harness failed 1 times/,
    ],
    ['another verdict', fields({ verdict: 'non-conformant' }), /the sums|another/],
    [
      'findings that pass',
      (record) => fields({ findings: record.findings.slice(1) })(record),
      /give something else|exit is another/,
    ],
    ['a scenario that leads out', row((each) => ({ ...each, id: '../../x' })), /called so/],
  ])('%s: refused', async (_, change, why) => {
    const bundle = copy()
    editRecord(bundle, change)
    await refuses(async () => {
      await sign(bundle)
      await verify(bundle)
    }, why)
  })
})

/** The recording with its lines changed, numbered anew. */
function editLines(bundle: string, change: (events: Loose[]) => Loose[], file = transcript): void {
  edit(join(bundle, file), (text) => {
    const [header = '', ...lines] = text.trimEnd().split('\n')
    const events = change(lines.map((line) => JSON.parse(line) as Loose))
    const numbered = events.map((event, index) => JSON.stringify({ ...event, seq: index + 1 }))
    return `${[header, ...numbered].join('\n')}\n`
  })
}

const isWindow = (event: Loose): boolean => event['action'] === 'window'

describe('a vendor who edits a recording and signs it', () => {
  const ends = (outcome: string) => (events: Loose[]) => [
    { ...events[0], t: 0 },
    { seq: 2, t: 0, type: 'end', outcome, reason: 'it does not apply' },
  ]
  const windowed = ({ scenarios }: RunRecord, bundle: string): string =>
    scenarios
      .flatMap(({ transcript: stored }) => (stored ? [stored.file] : []))
      .find((file) => readFileSync(join(bundle, file), 'utf8').includes('"window"'))!

  test.each(['not-applicable', 'not-offered', 'aborted'])(
    'says in two lines that it ended as %s: refused',
    async (outcome) => {
      const bundle = copy()
      editLines(bundle, ends(outcome))
      editRecord(bundle, (record) => {
        const verdict = outcome === 'aborted' ? 'pass' : outcome
        const changed = row((each) => ({
          ...each,
          outcome: outcome as 'aborted',
          reason: 'it does not apply',
          durationMs: 0,
        }))(record)
        const findings = record.findings.map((each) =>
          each.scenario === 'denied-consent' ? { ...each, verdict } : each,
        )
        return { ...changed, findings } as RunRecord
      })
      await refuses(async () => {
        await sign(bundle)
        await verify(bundle)
      }, /judged again, the transcripts give something else|exit is another/)
    },
  )

  test.each<[string, (events: Loose[]) => Loose[], RegExp]>([
    [
      'a window that is too short',
      (events) => events.map((each) => (isWindow(each) ? { ...each, detail: { ms: 10 } } : each)),
      /a window of 10 ms/,
    ],
    [
      'a window that is longer than the recording',
      (events) => events.map((each) => (isWindow(each) ? { ...each, detail: { ms: 1e7 } } : each)),
      /longer than what was recorded/,
    ],
    [
      'time that runs backwards',
      (events) => events.map((each, index) => (index === 1 ? { ...each, t: 1e9 } : each)),
      /earlier than the one before/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = copy()
    editLines(bundle, change, windowed(readResults(join(bundle, 'results.json')), bundle))
    editRecord(bundle, (record) => record)
    await refuses(async () => {
      await sign(bundle)
      await verify(bundle)
    }, why)
  })

  test('a recording that two readers read differently: refused', async () => {
    const bundle = copy()
    edit(join(bundle, transcript), (text) => text.replace('"seq":2,', '"seq":7,"seq":2,'))
    editRecord(bundle, (record) => record)
    await sign(bundle)
    await refuses(() => verify(bundle), /denied-consent.jsonl is not as the suite writes it/)
  })
})

describe('a vendor who signs something else', () => {
  const certified = (change: Loose) => (statement: object) => {
    const { predicate, ...rest } = statement as { predicate: Record<string, Loose> }
    return {
      ...rest,
      predicate: {
        ...predicate,
        [certificationType]: { ...predicate[certificationType], ...change },
      },
    }
  }
  const finished = (bundle: string): number =>
    Date.parse(readResults(join(bundle, 'results.json')).finished)

  test.each<[string, (bundle: string) => Signing, RegExp]>([
    [
      'before the run',
      (at) => ({ issued: new Date(finished(at) - 1000) }),
      /before the run had finished/,
    ],
    ['for ten years', () => ({ days: 3650 }), /valid for more than 365 days/],
    ['in the future', () => ({ issued: new Date(Date.now() + 1e7) }), /in the future/],
    ['that has expired', () => ({ days: -1 }), /it expired/],
    [
      'other settings',
      () => ({ statement: certified({ settings: {} }) }),
      /does not say what the run record says/,
    ],
    [
      'another version',
      () => ({ statement: certified({ suite: { name: packageInfo.name, version: '99.0.0' } }) }),
      /verify it with that version: npx agent-oauth-conformance@99.0.0 verify/,
    ],
    [
      'code that nobody else has, under the version that everybody has',
      () => ({ statement: certified({ code: `sha256:${'0'.repeat(64)}` }) }),
      /judged by other code than this installation has/,
    ],
    ['another profile', () => ({ statement: certified({ profile: 'x/y' }) }), /no profile/],
    [
      'a key twice',
      () => ({ payload: (json) => json.replace('{', '{"_type":"https://example.org/",') }),
      /the signed statement has the key "_type" twice/,
    ],
  ])('%s: refused', async (_, signing, why) => {
    const bundle = copy()
    await sign(bundle, signing(bundle))
    await refuses(() => verify(bundle), why)
  })

  test('a day and more after the run: refused', async () => {
    const bundle = copy()
    const past = (time: string): string =>
      new Date(Date.parse(time) - 2 * 24 * 3600 * 1000).toISOString()
    editRecord(bundle, (record) => ({
      ...record,
      started: past(record.started),
      finished: past(record.finished),
    }))
    await sign(bundle)
    await refuses(() => verify(bundle), /more than a day after the run/)
  })

  test.each<[string, (bundle: string) => void, RegExp]>([
    ['a file beside', (at) => writeFileSync(join(at, 'README'), 'x'), /no run leaves a file/],
    [
      'a folder beside',
      (at) => {
        mkdirSync(join(at, 'transcripts', 'x'))
        writeFileSync(join(at, 'transcripts', 'x', 'y.jsonl'), 'x')
      },
      /no run leaves a file/,
    ],
    [
      'results.json with blanks',
      (at) => edit(join(at, 'results.json'), (text) => ` ${text}`),
      /results.json is not as the suite writes it/,
    ],
    [
      'results.json with a key twice',
      (at) => edit(join(at, 'results.json'), (text) => text.replace('{', '{"verdict":"x",')),
      /results.json is not as the suite writes it/,
    ],
    [
      'a report that says more',
      (at) => edit(join(at, 'report.html'), (text) => text.replace('<body', '<body title="x"')),
      /report.html does not say/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = copy()
    change(bundle)
    await sign(bundle)
    await refuses(() => verify(bundle), why)
  })

  test.each<[string, (envelope: Loose) => string, RegExp]>([
    [
      'an envelope with a key twice',
      (envelope) => JSON.stringify(envelope).replace('{', '{"payload":"AAAA",'),
      /attestation.json has the key "payload" twice/,
    ],
    [
      'an envelope with thousands of signatures',
      (envelope) => {
        const [signature] = envelope['signatures'] as Loose[]
        return JSON.stringify({ ...envelope, signatures: Array(5000).fill(signature) })
      },
      /no DSSE envelope/,
    ],
    [
      'an envelope of 5 MB',
      (envelope) => JSON.stringify(envelope) + ' '.repeat(5e6),
      /larger than/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = copy()
    await sign(bundle)
    edit(join(bundle, 'attestation.json'), (text) => change(JSON.parse(text) as Loose))
    await refuses(() => verify(bundle), why)
  })
})

describe('files that are none', () => {
  const readers: Readonly<Record<string, (bundle: string) => unknown>> = {
    verify,
    report: (at) => report(at, { output: join(at, '..', 'reports/') }),
    judge: (at) => judge([at], { quiet: true }),
    compare: (at) => compare([at, honest], { output: join(at, '..', 'grid') }),
    merge: (at) => merge([at], { output: join(at, '..', 'merged') }),
  }
  const inPlaceOf = (file: string, put: (path: string) => void) => (bundle: string) => {
    rmSync(join(bundle, file), { recursive: true })
    put(join(bundle, file))
  }
  const pipe = (path: string): void => void execFileSync('mkfifo', [path])
  const device = (path: string): void => symlinkSync('/dev/zero', path)
  const sparse = (path: string): void => {
    writeFileSync(path, '')
    truncateSync(path, 300 * 1024 * 1024)
  }
  const record = 'results.json'
  const elsewhere = (bundle: string): void => {
    renameSync(join(bundle, 'transcripts'), join(bundle, '..', 'elsewhere'))
    symlinkSync('../elsewhere', join(bundle, 'transcripts'))
  }
  const files: readonly (readonly [string, (bundle: string) => void, readonly string[]])[] = [
    ['a pipe as the run record', inPlaceOf(record, pipe), Object.keys(readers)],
    ['a device as the run record', inPlaceOf(record, device), Object.keys(readers)],
    ['a run record of 300 MB', inPlaceOf(record, sparse), Object.keys(readers)],
    ['a pipe as a recording', inPlaceOf(transcript, pipe), ['verify', 'report', 'judge', 'merge']],
    [
      'a recording of 300 MB',
      inPlaceOf(transcript, sparse),
      ['verify', 'report', 'judge', 'merge'],
    ],
    ['a link as the folder of recordings', elsewhere, ['verify', 'report', 'judge', 'merge']],
    [
      'a recording outside of the folder',
      (at) =>
        edit(join(at, record), (text) =>
          text
            .replaceAll('"denied-consent"', '"../../x"')
            .replace(transcript, 'transcripts/../../x.jsonl'),
        ),
      ['verify', 'report', 'judge', 'merge'],
    ],
  ]
  const cases = files.flatMap(([name, plant, by]) => by.map((each) => [name, each, plant] as const))

  test.each(cases)('%s is refused by %s', async (_, by, plant) => {
    const bundle = copy()
    await sign(bundle)
    plant(bundle)
    await refuses(
      () => readers[by]!(bundle),
      /plain file|larger than|too large|is a link|no scenario is called so|not the one that was signed/,
    )
  })

  test('a pipe as the attestation is refused by verify', async () => {
    const bundle = copy()
    pipe(join(bundle, 'attestation.json'))
    await refuses(() => verify(bundle), /plain file/)
  })
})

describe('keys of a JWK Set', () => {
  const set = (...keys: readonly object[]): string => JSON.stringify({ keys })

  test.each<[string, Loose]>([
    ['for another use', { use: 'enc' }],
    ['that do not verify', { key_ops: ['sign'] }],
    ['for another algorithm', { alg: 'RS256' }],
    ['that are revoked', { revoked: { revoked_at: 1 } }],
    ['that have expired', { exp: 1 }],
    ['that are not valid yet', { nbf: 99_999_999_999 }],
    ['of an unknown type', { kty: 'AKP' }],
    ['that are broken', { x: 'AA' }],
  ])('%s are left out', async (_, change) => {
    const own = await publicJwk(key)
    const other = await publicJwk(readPrivateKey(generateKeys('es256').privateKey))
    expect(readPublicKeys(set(other, { ...own, ...change }))).toHaveLength(1)
    await refuses(() => readPublicKeys(set({ ...own, ...change })), /no key of the set/)
  })

  test('beyond a hundred, and private ones, are refused', async () => {
    const own = await publicJwk(key)
    await refuses(() => readPublicKeys(set(...Array<object>(101).fill(own))), /more than 100 keys/)
    await refuses(() => readPublicKeys(set({ ...own, d: 'AA' })), /private key/)
  })
})

describe('an implementation that knows the folder of the run', () => {
  const event = { type: 'step', action: 'ask', detail: {} } as const
  const recorder = (directory: string): Recorder =>
    new Recorder({ scenario: 'gate', ledger: new SecretLedger(), now: () => 0, directory })

  test('has no file overwritten by a link, and no pipe waited for', () => {
    for (const plant of [
      (path: string) => symlinkSync('victim', path),
      (path: string) => void execFileSync('mkfifo', [path]),
    ]) {
      const folder = scratch()
      folders.push(folder)
      mkdirSync(join(folder, 'transcripts'))
      writeFileSync(join(folder, 'transcripts', 'victim'), 'mine')
      plant(join(folder, 'transcripts', 'gate.jsonl'))
      recorder(join(folder, 'transcripts')).record(event)
      expect(readFileSync(join(folder, 'transcripts', 'victim'), 'utf8')).toBe('mine')
      figures.bounded += 1
    }
  })

  test.each<[string, (folder: string) => void]>([
    ['removes a recording', (at) => rmSync(join(at, 'transcripts', 'gate.jsonl'))],
    ['removes the folder', (at) => rmSync(at, { recursive: true })],
    ['changes a recording', (at) => edit(join(at, 'transcripts', 'gate.jsonl'), (t) => `${t} `)],
  ])('%s: detected', (_, act) => {
    const folder = scratch()
    folders.push(folder)
    const own = recorder(join(folder, 'transcripts'))
    own.record(event)
    own.record({ type: 'end', outcome: 'completed' })
    act(folder)
    expect(alteredRecordings(folder, new Map([['gate', own.transcript()]]))).toHaveLength(1)
    figures.detected += 1
  })
})
