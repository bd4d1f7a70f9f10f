import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Transcript, type RecordedEvent, type RequestEvent } from '../../harness/engine/index.ts'
import { curlLine, stimulusOf } from './curl.ts'
import { diagram, answer, hostile, request, transcripts } from '../testing.ts'

/** What a shell makes of the line: the arguments of curl, and what it reads from standard input. */
function runByShell(line: string): { readonly args: string[]; readonly input: string } {
  const fake = 'curl() { printf "%s\\0" "$@"; printf "\\1"; case "$*" in *@-*) cat;; esac; }'
  const output = execFileSync('/bin/sh', ['-c', `${fake}\n${line}`], { encoding: 'utf8' })
  const [args = '', input = ''] = output.split('\u0001')
  return { args: args.split('\0').slice(0, -1), input }
}

function requestWith(change: Partial<RequestEvent>): RequestEvent {
  return { ...request, ...change }
}

describe('curlLine', () => {
  test('repeats method, URL, headers and body as they were', () => {
    const { args } = runByShell(curlLine(request))
    const options = ['-sS', '-i', '--globoff', '-X', 'POST', 'http://127.0.0.1:4000/invoke?a=[1]']
    const type = ['-H', 'content-type: application/json']
    const credential = ['-H', 'authorization: [secret invocation_credential-1]']
    const body = ['--data-raw', '{"operation":"it\'s"}']
    expect(args).toEqual([...options, ...type, ...credential, ...body])
  })

  test('a body with control characters travels through printf, byte for byte', () => {
    const text = 'a\u001b[31m\n%s \\n \u202e "ü'
    const line = curlLine(requestWith({ body: { text, bytes: Buffer.byteLength(text) } }))
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(runByShell(line)).toMatchObject({ input: text })
  })

  test('any text survives the shell, or is left out of what a terminal would obey', () => {
    const body = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(body, (text) => {
        fc.pre(!text.includes('\0') && !text.includes('\u0001'))
        const line = curlLine(requestWith({ body: { text, bytes: Buffer.byteLength(text) } }))
        const { args, input } = runByShell(line)
        expect(input || args.at(-1)).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  test('nothing in URL, method and headers is executed or shown as it is', () => {
    const line = curlLine(
      requestWith({ url: `http://h/${hostile}`, method: hostile, headers: { 'x-a': hostile } }),
    )
    // oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    const { args } = runByShell(line)
    expect(args[5]).toContain('$(touch')
    expect(args).toHaveLength(10)
  })

  test('a body that is too long or incomplete is named, not repeated', () => {
    const long = { text: 'x'.repeat(5000), bytes: 5000 }
    expect(curlLine(requestWith({ body: long }))).toContain('--data-binary @body.bin')
    expect(curlLine(requestWith({ body: { text: 'x', bytes: 9, truncated: true } }))).toContain(
      '@body.bin',
    )
  })
})

describe('stimulusOf', () => {
  const evidence = (event: RecordedEvent) => [{ scenario: event.scenario, seq: event.seq }]

  test('is the invocation of the call that the evidence is about', () => {
    expect(stimulusOf(evidence(answer), transcripts, diagram)).toBe(request)
  })

  test('is the request of the browser where there is no call', () => {
    const { call: _, ...uncalled } = request
    const page = { ...uncalled, scenario: 's', channel: 'browser' } as const
    const alone = new Map([['s', new Transcript([page])]])
    expect(stimulusOf(evidence(page), alone, diagram)).toBe(page)
  })

  test('is nothing where the implementation was the one that asked', () => {
    const { call: _, ...uncalled } = request
    const own = { ...uncalled, scenario: 's', channel: 'provider' } as const
    const alone = new Map([['s', new Transcript([own])]])
    expect(stimulusOf(evidence(own), alone, diagram)).toBeUndefined()
  })
})
