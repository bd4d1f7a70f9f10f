/** `aoc keys`, `aoc certify` and `aoc verify` through the built command line, and every way to cheat. */

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  certificationType,
  certifiedSettings,
  digestBundle,
  makeStatement,
  payloadType,
  readPrivateKey,
  readResults,
  resultsJson,
  sha256,
  signEnvelope,
  type RunRecord,
} from '../reports/index.ts'
import { startAuthority, type TimeStampAuthority } from '../reports/certification/testing.ts'
import { conformance } from '../suites/rap-oauth/tool/reference/conformance.ts'
import { profiles } from '../suites/registry.ts'
import { runCli, scratch, type CliResult } from './run-cli.ts'

const references = fileURLToPath(
  new URL('../dist/suites/rap-oauth/tool/reference/', import.meta.url),
)
const nonce = 'what-the-buyer-gave'
let home: string
let certified: CliResult
beforeAll(async () => {
  home = scratch()
  for (const type of ['ed25519', 'es256']) {
    await runCli(['keys', 'generate', '--type', type, '--name', type], home)
  }
  writeFileSync(join(home, 'tool.tgz'), 'the artefact')
  // A long pending timeout, so that a busy machine proves as much as an idle one.
  const signing = ['--key', 'ed25519.key.pem', '--artifact', 'tool.tgz', '--pending-timeout', '15s']
  signing.push('--nonce', nonce, '--register', 'register.jsonl')
  certified = await runCli(['certify', ...signing, '--output', 'bundle', '--quiet'], home)
}, 180_000)

/** Verifies a bundle with the public key of its signer. */
function verify(folder: string, ...more: readonly string[]): Promise<CliResult> {
  const key = more.length > 0 ? more : ['--key', join(home, 'ed25519.pub.pem')]
  return runCli(['verify', 'bundle', ...key], folder)
}

/** A copy of the bundle, on another machine so to speak. */
function copy(): { readonly folder: string; readonly bundle: string } {
  const folder = scratch()
  const bundle = join(folder, 'bundle')
  cpSync(join(home, 'bundle'), bundle, { recursive: true })
  return { folder, bundle }
}

function editText(file: string, edit: (text: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
}

/** Signs a bundle anew, as a vendor does who cheats with a key of its own. */
async function resign(bundle: string, change: (statement: object) => object = (s) => s) {
  const record = readResults(join(bundle, 'results.json'))
  const issued = new Date()
  const statement = makeStatement({
    record,
    files: digestBundle(bundle),
    artifacts: new Map(),
    settings: certifiedSettings(
      record,
      profiles.find(({ id }) => id === record.profile)!,
    ),
    issued,
    expires: new Date(issued.getTime() + 1e9),
  })
  const key = readPrivateKey(readFileSync(join(home, 'ed25519.key.pem'), 'utf8'))
  const payload = Buffer.from(JSON.stringify(change(statement)))
  const envelope = await signEnvelope(payloadType, payload, key)
  writeFileSync(join(bundle, 'attestation.json'), JSON.stringify(envelope))
}

/** Edits the run record and lets it name the transcripts as they are now. */
function editRecord(bundle: string, edit: (record: RunRecord) => RunRecord): void {
  const file = join(bundle, 'results.json')
  const edited = edit(readResults(file))
  const scenarios = edited.scenarios.map((scenario) => {
    const { transcript } = scenario
    if (!transcript) return scenario
    const digest = sha256(readFileSync(join(bundle, transcript.file)))
    return { ...scenario, transcript: { ...transcript, digest } }
  })
  writeFileSync(file, resultsJson({ ...edited, scenarios }))
}

test('certifies, and another verifies with the public key alone', async () => {
  expect(certified).toMatchObject({ code: 0, stdout: expect.stringContaining('CONFORMANT') })
  const { code, stdout } = await verify(copy().folder)
  expect(stdout).toContain('VERIFIED  reference RAP tool')
  expect(stdout).toContain(`artifact tool.tgz ${sha256('the artefact')}`)
  expect(code).toBe(0)
})

test('says which artefacts were compared, and refuses another', async () => {
  const key = ['--key', join(home, 'ed25519.pub.pem')]
  writeFileSync(join(home, 'other.tgz'), 'another artefact')
  const [unchecked, own, other] = await Promise.all([
    verify(home, ...key),
    verify(home, ...key, '--artifact', 'tool.tgz'),
    verify(home, ...key, '--artifact', 'other.tgz'),
  ])
  expect(unchecked.stdout).toContain('(not checked: give --artifact)')
  expect(own.stdout).toContain('(is the file given here)')
  expect(other.stderr).toContain('the artifact other.tgz is not what was certified')
  expect(other.code).toBe(5)
})

test('says for whom the run was made, and refuses one that was made for nobody or another', async () => {
  const key = ['--key', join(home, 'ed25519.pub.pem')]
  const [own, other, wrong] = await Promise.all([
    verify(home, ...key, '--nonce', nonce),
    verify(home, ...key, '--nonce', 'what-another-buyer-gave'),
    verify(home, ...key, '--nonce', 'short'),
  ])
  expect(own.stdout).toContain(`nonce    ${nonce}`)
  expect(own.code).toBe(0)
  expect(other.stderr).toContain('the run was made for another nonce')
  expect(other.code).toBe(5)
  expect(wrong.stderr).toContain('Expected 16 to 128 letters, digits')
  expect(wrong.code).toBe(2)
})

describe('trusted time', () => {
  let authority: TimeStampAuthority
  let server: Server
  let url: string
  beforeAll(async () => {
    authority = startAuthority()
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const asked = request.headers['content-type'] === 'application/timestamp-query'
        response.writeHead(asked ? 200 : 415)
        response.end(asked ? authority.reply(Buffer.concat(chunks)) : '')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => {
    server.close()
    authority.close()
  })
  const trusting = (file: string) => [
    '--key',
    join(home, 'ed25519.pub.pem'),
    '--time-stamp-authority',
    file,
  ]

  test('an authority states when it existed, and everybody checks that offline', async () => {
    const { folder } = copy()
    const stamped = await runCli(['time-stamp', 'bundle', '--authority', url], folder)
    expect(stamped).toMatchObject({ code: 0, stdout: expect.stringContaining('stamped') })
    const [checked, unchecked, twice] = await Promise.all([
      verify(folder, ...trusting(authority.trusted)),
      verify(folder),
      runCli(['time-stamp', 'bundle', '--authority', url], folder),
    ])
    expect(checked.stdout).toMatch(/stamped {2}at 20.*Z, by CN=Test authority/)
    expect(checked.code).toBe(0)
    expect(unchecked.stdout).toContain('stamped  not checked: give --time-stamp-authority')
    expect(twice.stderr).toContain('exists already and was not changed')
  })

  test('is refused where it is missing, or for another attestation', async () => {
    const without = await verify(copy().folder, ...trusting(authority.trusted))
    expect(without.stderr).toContain('there is no time stamp in it')
    const { folder, bundle } = copy()
    await runCli(['time-stamp', 'bundle', '--authority', url], folder)
    await resign(bundle)
    const other = await verify(folder, ...trusting(authority.trusted))
    expect(other.stderr).toContain('its time stamp does not verify')
    writeFileSync(join(bundle, 'attestation.tsr'), Buffer.alloc(200_000))
    const huge = await verify(folder, ...trusting(authority.trusted))
    expect(huge.stderr).toContain('its time stamp cannot be read')
    expect([without.code, other.code, huge.code]).toEqual([5, 5, 5])
  })

  test('an authority that does not answer as one is named', async () => {
    const { folder } = copy()
    const refused = await runCli(
      ['time-stamp', 'bundle', '--authority', 'http://127.0.0.1:9/'],
      folder,
    )
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('--authority http://127.0.0.1:9/: ')
  })
})

describe('a register', () => {
  const asking = (register: string) => [
    '--key',
    join(home, 'ed25519.pub.pem'),
    '--register',
    register,
  ]

  test('says how often it was tried, and refuses what was withdrawn', async () => {
    const { folder } = copy()
    const register = join(folder, 'register.jsonl')
    cpSync(join(home, 'register.jsonl'), register)
    const listed = await verify(folder, ...asking(register))
    const head = /register 1 attempts: 1 conformant; 1 runs in all; head (sha256:[0-9a-f]{64})\n/
    expect(listed.stdout).toMatch(head)
    const reason = ['--register', register, '--reason', 'found to be wrong']
    const key = ['--key', join(home, 'ed25519.key.pem')]
    const withdrawn = await runCli(['withdraw', 'bundle', ...reason, ...key], folder)
    expect(withdrawn).toMatchObject({ code: 0, stdout: expect.stringContaining('withdrawn') })
    const refused = await verify(folder, ...asking(register))
    expect(refused.stderr).toContain('it was withdrawn: found to be wrong')
    expect(refused.code).toBe(5)
    const kept = head.exec(listed.stdout)![1]!
    writeFileSync(join(folder, 'anew.jsonl'), readFileSync(register, 'utf8').split('\n')[0] + '\n')
    const [longer, anew] = await Promise.all(
      [register, join(folder, 'anew.jsonl')].map((file) =>
        verify(folder, ...asking(file), '--register-head', kept),
      ),
    )
    expect(longer?.stderr).toContain('it was withdrawn')
    expect(anew?.stderr).toContain('no line with the head that was kept')
  })

  test('that is waited for, or without an end, is none', async () => {
    const { folder } = copy()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const file of [join(folder, 'pipe'), '/dev/zero']) {
      const { code, stderr } = await verify(folder, ...asking(file))
      expect(stderr).toContain('is not a plain file')
      expect(code).toBe(2)
    }
  })

  test('that was edited, or does not list it, is refused', async () => {
    const { folder, bundle } = copy()
    const register = join(folder, 'register.jsonl')
    cpSync(join(home, 'register.jsonl'), register)
    await resign(bundle)
    const unlisted = await verify(folder, ...asking(register))
    expect(unlisted.stderr).toContain('it is not in the register')
    editText(register, (text) => text.split('\n').slice(1).join('\n'))
    const edited = await verify(folder, ...asking(register))
    expect(edited.stderr).toContain('line 1 of the register does not follow')
  })
})

describe('run again by the relying party', () => {
  const reference = (main: string, env: Readonly<Record<string, string>>) => ({
    target: {
      command: ['node', join(references, main)],
      env: { ...conformance.target.env, ...env },
    },
    declares: { tokenStore: ['{data.dir}'] },
  })
  const again = async (settings: object, ...more: readonly string[]) => {
    const { folder } = copy()
    writeFileSync(join(folder, 'mine.json'), JSON.stringify(settings))
    const key = ['--key', join(home, 'ed25519.pub.pem')]
    return verify(folder, ...key, '--rerun', '--config', 'mine.json', '--output', 'again', ...more)
  }

  test('another implementation is not confirmed', async () => {
    const broken = await again(reference('varied.js', { DEFECT: 'denial-shown-only' }))
    expect(broken.stderr).toContain('NOT CONFIRMED')
    expect(broken.stderr).toMatch(/oauth-client\/report-denial .*: certified pass, here fail/)
    expect(broken.code).toBe(5)
  })

  test('says at once what it cannot do', async () => {
    const other = await again(reference('main.js', {}), '--refresh-tokens', 'no')
    expect(other.stderr).toContain('declares.refreshTokens: certified with the default, here false')
    expect(other.code).toBe(2)
    const nowhere = await verify(home, '--key', join(home, 'ed25519.pub.pem'), '--rerun')
    expect(nowhere).toMatchObject({ code: 2, stdout: '' })
    expect(nowhere.stderr).toContain('the suite never starts anything that a bundle names')
  })
})

test('the settings that differ, and the lenient ones, are printed', async () => {
  const { stdout } = await verify(copy().folder)
  expect(stdout).toContain('setting  provider.redirectMatching: "exact"')
  expect(stdout).toContain('setting  provider.client.pkce: "optional"')
  expect(stdout).toContain('setting  declares.pendingTimeout: 15000')
  expect(stdout).not.toContain('setting  timing.grace')
})

test('the private key is for its owner alone, and nothing of it is in the bundle', () => {
  expect(statSync(join(home, 'ed25519.key.pem')).mode & 0o077).toBe(0)
  const key = readFileSync(join(home, 'ed25519.key.pem'), 'utf8').split('\n')[1] ?? ''
  expect(key.length).toBeGreaterThan(40)
  for (const name of [...digestBundle(join(home, 'bundle')).keys(), 'attestation.json']) {
    expect(readFileSync(join(home, 'bundle', name), 'utf8')).not.toContain(key)
  }
})

test('OpenSSL verifies the signature over the DSSE pre-authentication encoding', () => {
  const folder = scratch()
  const attestation = join(home, 'bundle', 'attestation.json')
  const envelope = JSON.parse(readFileSync(attestation, 'utf8')) as {
    payload: string
    signatures: { sig: string }[]
  }
  const payload = Buffer.from(envelope.payload, 'base64')
  const head = `DSSEv1 28 application/vnd.in-toto+json ${payload.length} `
  writeFileSync(join(folder, 'pae'), Buffer.concat([Buffer.from(head), payload]))
  writeFileSync(join(folder, 'sig'), Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))
  const args = ['pkeyutl', '-verify', '-pubin', '-inkey', join(home, 'ed25519.pub.pem'), '-rawin']
  const files = ['-in', join(folder, 'pae'), '-sigfile', join(folder, 'sig')]
  expect(execFileSync('openssl', [...args, ...files]).toString()).toContain('Verified Successfully')
})

test('a JWK Set, from a file or by http from this machine, works as well as a key', async () => {
  const jwks = readFileSync(join(home, 'ed25519.jwks.json'), 'utf8')
  const server: Server = createServer((_, response) => response.end(jwks))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  try {
    for (const from of [join(home, 'ed25519.jwks.json'), url]) {
      const { code, stderr } = await verify(copy().folder, '--jwks', from)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    }
  } finally {
    server.close()
  }
})

test('a bundle that its vendor signs again, unchanged, verifies', async () => {
  const { folder, bundle } = copy()
  await resign(bundle)
  expect((await verify(folder)).code).toBe(0)
})

const transcript = 'transcripts/denied-consent.jsonl'
const failing = (text: string): string =>
  text.replace(/("title": "[^"]*",\s*"verdict": )"pass"/, '$1"fail"')

describe('whoever changes a signed bundle', () => {
  test.each<[string, (bundle: string) => void, string]>([
    ['edits a finding', (at) => editText(join(at, 'results.json'), failing), 'not the one that'],
    ['edits a transcript', (at) => editText(join(at, transcript), (t) => t + ' '), 'not the one'],
    ['cuts a file', (at) => editText(join(at, transcript), (t) => t.slice(0, 99)), 'not the one'],
    ['drops a transcript', (at) => rmSync(join(at, transcript)), 'is missing'],
    ['adds a file', (at) => writeFileSync(join(at, 'README'), 'x'), 'was not signed'],
    [
      'puts a link in the place of a file',
      (at) => {
        rmSync(join(at, transcript))
        symlinkSync(join(home, 'bundle', transcript), join(at, transcript))
      },
      'is a link',
    ],
    [
      'cuts the attestation',
      (at) => editText(join(at, 'attestation.json'), (t) => t.slice(0, 99)),
      'is not a DSSE envelope',
    ],
    ['drops the attestation', (at) => rmSync(join(at, 'attestation.json')), 'cannot read'],
    [
      'edits the signed statement',
      (at) =>
        editText(join(at, 'attestation.json'), (text) => {
          const envelope = JSON.parse(text) as { payload: string }
          const payload = Buffer.from(envelope.payload, 'base64').toString()
          const other = payload.replace('reference RAP tool', 'another RAP tool')
          return JSON.stringify({ ...envelope, payload: Buffer.from(other).toString('base64') })
        }),
      'the signature does not verify',
    ],
  ])('%s is refused', async (_, cheat, why) => {
    const { folder, bundle } = copy()
    cheat(bundle)
    const { code, stdout, stderr } = await verify(folder)
    expect(stderr).toContain('NOT VERIFIED')
    expect(stderr).toContain(why)
    expect(stdout).toBe('')
    expect(code).toBe(5)
  })

  test('another key is refused', async () => {
    const { code, stderr } = await verify(copy().folder, '--key', join(home, 'es256.pub.pem'))
    expect(stderr).toContain('the signature does not verify with the given key')
    expect(code).toBe(5)
  })
})

describe('a vendor who signs what its run did not show', () => {
  type Cheat = (bundle: string) => void | Promise<void>
  const record = (edit: (record: RunRecord) => RunRecord): Cheat => {
    return (at) => editRecord(at, edit)
  }
  test.each<[string, Cheat, string]>([
    [
      'a finding',
      (at) => editText(join(at, 'results.json'), failing),
      'contradicts itself or the recordings',
    ],
    [
      'a transcript',
      (at) => {
        editText(join(at, transcript), (text) =>
          text
            .split('\n')
            .filter((line) => !line.includes('"channel":"callback"'))
            .join('\n'),
        )
        editRecord(at, (each) => each)
      },
      'line',
    ],
    [
      'a dropped scenario',
      record((each) => ({
        ...each,
        scenarios: each.scenarios.filter(({ id }) => id !== 'denied-consent'),
        findings: each.findings.filter(({ scenario }) => scenario !== 'denied-consent'),
      })),
      'contradicts itself or the recordings',
    ],
    ['the verdict', record((each) => ({ ...each, verdict: 'inconclusive' })), 'the sums in'],
    [
      'the catalogue',
      record((each) => ({
        ...each,
        suite: {
          ...each.suite,
          catalogue: { ...each.suite.catalogue, digest: `sha256:${'0'.repeat(64)}` },
        },
      })),
      'another catalogue',
    ],
    [
      'a part of the suite',
      record((each) => ({ ...each, partial: { filters: ['denied'] } })),
      'only a part',
    ],
    [
      'held against a baseline',
      record((each) => ({ ...each, baseline: { known: [], problems: [] } })),
      'it used a baseline',
    ],
    [
      'one of many repetitions',
      record((each) => ({ ...each, repetition: { number: 7, of: 20 } })),
      'one of 20 repetitions',
    ],
    [
      'a run with a baseline',
      record((each) => ({ ...each, baseline: { known: [], problems: [] } })),
      'a baseline of known findings',
    ],
    [
      'a short observation',
      record((each) => ({ ...each, settings: { ...each.settings, observeMs: 10 } })),
      'watched for what must not happen 10 ms',
    ],
    [
      'a report',
      (at) => editText(join(at, 'report.html'), (text) => text.replace('conformant', 'perfect')),
      'report.html does not say what the run record says',
    ],
    [
      'a transcript outside of the bundle',
      (at) => {
        mkdirSync(join(at, 'transcripts', 'x'))
        editText(join(at, 'results.json'), (text) =>
          text.replace(transcript, `transcripts/x/../../${transcript}`),
        )
      },
      'instead',
    ],
  ])('%s, is refused', async (_, cheat, why) => {
    const { folder, bundle } = copy()
    await cheat(bundle)
    await resign(bundle)
    const { code, stderr } = await verify(folder)
    expect(stderr).toContain(why)
    expect(code).toBe(5)
  })

  type Loose = Record<string, Record<string, Record<string, unknown>>>
  const certification = (change: Record<string, unknown>) => (statement: object) => {
    const { predicate, ...rest } = statement as Loose
    const own = { ...predicate?.[certificationType], ...change }
    return { ...rest, predicate: { ...predicate, [certificationType]: own } }
  }
  test.each<[string, (statement: object) => object, string]>([
    [
      'another implementation',
      certification({ implementation: { name: 'another' } }),
      'does not say what the run record says',
    ],
    ['a better result', certification({ strict: true }), 'does not say what the run record says'],
    ['an expired one', certification({ expires: '2020-01-01T00:00:00.000Z' }), 'it expired at'],
    ['one of the future', certification({ issued: '2999-01-01T00:00:00.000Z' }), 'in the future'],
    [
      'an unknown suite',
      certification({ suite: { name: 'agent-oauth-conformance', version: '99.0.0' } }),
      'verify it with that version',
    ],
    ['an unknown profile', certification({ profile: 'x/y' }), 'this suite has no profile'],
    [
      'a file outside of the bundle',
      (statement) => {
        const { subject, ...rest } = statement as { subject: object[] }
        const outside = { name: '../outside', digest: { sha256: '0'.repeat(64) } }
        return { ...rest, subject: [...subject, outside] }
      },
      'is missing',
    ],
    ['something else', () => ({ any: 'thing' }), 'the signed statement is not a certification'],
  ])('%s, is refused', async (_, change, why) => {
    const { folder, bundle } = copy()
    await resign(bundle, change)
    const { code, stderr } = await verify(folder)
    expect(stderr).toContain(why)
    expect(code).toBe(5)
  })
})

describe('keys', () => {
  test('are never overwritten', async () => {
    const { code, stderr } = await runCli(['keys', 'generate', '--name', 'ed25519'], home)
    expect(stderr).toContain('exists already')
    expect(code).toBe(2)
  })

  test.each([
    ['certify without a key', ['certify'], 'either --key FILE or --key-env NAME'],
    ['certify with a key that is none', ['certify', '--key', 'tool.tgz'], 'expected a private key'],
    ['certify with a public key', ['certify', '--key', 'es256.pub.pem'], 'expected a private key'],
    ['certify with an unset variable', ['certify', '--key-env', 'NO_SUCH'], 'is not set'],
    ['certify into what is there', ['certify', '--key', 'es256.key.pem', '--output', '.'], 'empty'],
    ['verify without a key', ['verify', 'bundle'], 'either --key FILE or --jwks'],
    ['verify with a private key', ['verify', 'bundle', '--key', 'es256.key.pem'], 'private key'],
    ['verify by plain http', ['verify', 'bundle', '--jwks', 'http://keys.example/'], 'https'],
    ['verify nothing', ['verify', 'nowhere', '--key', 'es256.pub.pem'], 'no such folder'],
  ])('%s: says what is expected', async (_, args, why) => {
    const { code, stderr } = await runCli(args, home)
    expect(stderr).toContain(why)
    expect(code).toBe(2)
  })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))
