/** A vendor who signs something else, or something beside it. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { packageInfo } from '../../cli/package-info.ts'
import { certificationType, readResults } from '../../reports/index.ts'
import {
  copy,
  edit,
  editRecord,
  refuses,
  sign,
  verify,
  type Loose,
  type Signing,
} from './bundle.ts'

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
    const bundle = await copy()
    await sign(bundle, signing(bundle))
    await refuses(() => verify(bundle), why)
  })

  test('a day and more after the run: refused', async () => {
    const bundle = await copy()
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
    const bundle = await copy()
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
      /is not a DSSE envelope/,
    ],
    [
      'an envelope of 5 MB',
      (envelope) => JSON.stringify(envelope) + ' '.repeat(5e6),
      /larger than/,
    ],
  ])('%s: refused', async (_, change, why) => {
    const bundle = await copy()
    edit(join(bundle, 'attestation.json'), (text) => change(JSON.parse(text) as Loose))
    await refuses(() => verify(bundle), why)
  })
})
