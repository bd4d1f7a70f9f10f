/**
 * The limits in `docs/architecture.md` and `docs/mock-provider.md` are those of the code. To write the former anew:
 * npx vitest run tests/limits-page.test.ts -u
 */

import { readFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { adapterLimits } from '../harness/parties/implementation/adapter/adapter.ts'
import { messageLimit } from '../harness/parties/callback-receiver.ts'
import { outputLimit, pieceLength } from '../harness/parties/implementation/process.ts'
import { bodyLimit, decodedLimit } from '../harness/parties/http.ts'
import { recordingLimits } from '../harness/engine/recording/recorder.ts'
import { modelLimits } from '../mock-model/limits.ts'
import { eventLimit } from '../harness/parties/host-user/server-sent-events.ts'
import { redirectLimit } from '../harness/parties/user/user-agent.ts'
import { documentLimit } from '../mock-provider/clients/fetch-document.ts'
import { limits } from '../mock-provider/storage/limits.ts'
import { defaultBodyLimit } from '../mock-provider/provider/options.ts'
import { defaultMost } from '../mock-provider/provider/tenants.ts'
import { wireLimits } from '../suites/mcp/wire/limits.ts'
import { logLines } from '../suites/rap-oauth/runtime/log-lines.ts'
import { fileLimit, filesLimit } from '../harness/parties/implementation/declared-files.ts'

const count = (value: number | undefined) => Number(value).toLocaleString('en-US')

/** 1 MiB, 16 KiB; for characters 1 Mi. */
function binary(value: number, unit: string): string {
  const mebi = value % 1024 ** 2 === 0
  return `${count(mebi ? value / 1024 ** 2 : value / 1024)} ${mebi ? 'Mi' : 'Ki'}${unit}`
}
const bytes = (value: number) => binary(value, 'B')
const characters = (value: number) => `${binary(value, '')} characters`

type Row = readonly [what: string, limit: string, beyond: string]

const cut = 'cut, and marked'
const ofImplementation: readonly Row[] = [
  ['body of a response', bytes(bodyLimit), cut],
  ['body of a webhook call', bytes(bodyLimit), 'cut'],
  ['body of a callback message', bytes(bodyLimit), 'answered 413'],
  ['body without its content coding', bytes(decodedLimit), 'read as it came'],
  ['callback messages of a call', count(messageLimit), 'answered 429, and counted'],
  ['redirects that the browser follows', count(redirectLimit), 'taken for a loop'],
  ['output of a process', characters(outputLimit), 'dropped'],
  ['piece of a line of output', characters(pieceLength), 'comes in pieces that overlap'],
  ['line of an adapter', bytes(adapterLimits.line), 'the adapter is given up'],
  ['lines of an adapter', count(adapterLimits.lines), 'the adapter is given up'],
  ['server-sent event', characters(eventLimit), 'dropped'],
  ['message of MCP', characters(wireLimits.message), 'cut, and none'],
  ['messages of a connection of MCP', count(wireLimits.messages), 'dropped'],
  ['times that a stream of MCP is gone on with', count(wireLimits.resumptions), 'left there'],
  ['connections of a client of MCP', count(wireLimits.connections), 'answered 429'],
  ['notifications that wait for its stream', count(wireLimits.unsent), 'dropped'],
  ['lines of a server over stdio', count(wireLimits.lines), 'dropped'],
  ['stream of a server over HTTP', bytes(wireLimits.stream), 'ended there'],
  ['output file of a tool', bytes(fileLimit), cut],
  ['output files of a tool', count(filesLimit), 'not read, and marked'],
  ['lines of a log file of a runtime', count(logLines), 'not read, unless they name a URL'],
  ['request to the scripted model', bytes(modelLimits.body), 'answered 413'],
  ['nesting of such a request', count(modelLimits.depth), 'answered 400'],
  ['values of such a request', count(modelLimits.values), 'answered 400'],
  [
    'responses that the scripted model keeps',
    count(modelLimits.storedResponses),
    'oldest forgotten',
  ],
  ['their size', bytes(modelLimits.storedBytes), 'oldest forgotten'],
]

const dropped = 'scanned for secrets, and counted'
const ofTranscript: readonly Row[] = [
  ['string of an event', characters(recordingLimits.stringLength), cut],
  ['events', count(recordingLimits.events), dropped],
  ['size', characters(recordingLimits.bytes), dropped],
  ['lines of output among them', count(recordingLimits.outputs), dropped],
  ['their size', characters(recordingLimits.outputBytes), dropped],
  ['events with a secret that are kept all the same', count(recordingLimits.leaks), 'counted'],
]

const forgotten = 'oldest forgotten'
const ofProvider: readonly Row[] = [
  ['body of a request', bytes(defaultBodyLimit), 'answered 413'],
  ['document that a client publishes', bytes(documentLimit), 'refused'],
  ['tenants', count(defaultMost), 'the one used longest ago is forgotten'],
  ['log', characters(limits.eventCharacters), forgotten],
  ['secrets in the ledger', count(limits.secrets), forgotten],
  ['clients of its options', count(limits.clients), forgotten],
  ...Object.entries(limits.records).map(
    ([name, most]) =>
      [
        `records: ${name}`,
        count(most),
        name === 'replays' ? 'the new one is refused' : forgotten,
      ] as const,
  ),
  ['records of any other kind', count(limits.otherRecords), forgotten],
  ['characters of one kind', characters(limits.collectionCharacters), forgotten],
  ['places where something is held back', count(limits.gates), forgotten],
  ['requests held back at a time', count(limits.held), 'answered 429'],
  ['subjects with items', count(limits.subjects), forgotten],
  ['items of a subject', count(limits.itemsPerSubject), forgotten],
]

function table(head: Row[0], rows: readonly Row[]): string {
  const lines: readonly Row[] = [[head, 'at most', 'beyond'], ['---', '---', '---'], ...rows]
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const section = `## Limits

Written from the code; a test compares. What an implementation sends is bounded, and the browser visits only the provider
and the implementation.

${table('of an implementation', ofImplementation)}

${table('of a transcript', ofTranscript)}

${table('of an issuer of the mock provider', ofProvider)}
`

test('docs/architecture.md states the limits of the code', async () => {
  const file = new URL('../docs/architecture.md', import.meta.url)
  const page = readFileSync(file, 'utf8').replace(
    /^## Limits\n.*?(?=^## |$(?!\n))/ms,
    () => section,
  )
  expect(page).toContain(section)
  const formatted = await format(page, { ...(await resolveConfig(file)), parser: 'markdown' })
  await expect(formatted).toMatchFileSnapshot('../docs/architecture.md')
})

test('docs/mock-provider.md states what the code keeps', () => {
  const page = readFileSync(new URL('../docs/mock-provider.md', import.meta.url), 'utf8')
  const kept = /^## What is kept\n(.*?)(?=^## |$(?!\n))/ms.exec(page)?.[1]?.replace(/\s+/g, ' ')
  const { tokens, authorizations, codes, clients, pushed } = limits.records
  expect([codes, pushed]).toEqual([authorizations, clients])
  expect(kept).toContain(`${count(tokens)} tokens`)
  expect(kept).toContain(`${count(authorizations)} authorizations and codes each`)
  expect(kept).toContain(`${count(clients)} clients and pushed requests each`)
  expect(kept).toContain(`${count(limits.secrets)} secrets`)
  expect(kept).toContain(`${characters(limits.collectionCharacters)} of each kind of record`)
  expect(kept).toContain(`${characters(limits.eventCharacters)} of log`)
  expect(page).toMatch(new RegExp(`\`bodyLimit\`.*\\| ${bytes(defaultBodyLimit)}, `))
})
