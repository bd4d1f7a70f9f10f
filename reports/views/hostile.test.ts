/** What an implementation controls harms no view of a run, whatever it is. */

import * as fc from 'fast-check'
import { parsers } from 'prettier/plugins/markdown'
import { describe, expect, test } from 'vitest'
import { Transcript, type Finding, type RecordedEvent } from '../../harness/engine/index.ts'
import { renderers } from './formats.ts'
import type { RunRecord } from '../record/run-record.ts'
import { answer, failed, hostile, recordOf, request, transcripts } from '../testing.ts'

const attacks = [
  hostile,
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></script></pre></details></svg><script>',
  '<!-- --> <![CDATA[ ]]> <?xml ?>',
  'javascript:alert(1)',
  '\u001b]8;;http://evil\u0007link\u001b]8;;\u0007 \u001b[2J \u009b31m',
  '\u202egnp.exe \u2066\u2069 \ufeff \u00ad \u{e0041}',
  '`` ` ``` [a](http://evil) ![i](http://evil) @everyone #1 | x | \\| <b>',
  '# TODO \\# SKIP\n  ---\n  ...\nnot ok 99\nBail out!\n1..0',
  '\ud800 lone \udc00',
  'x'.repeat(1024 * 1024),
  '\n\n---\n\n# heading\n',
  '日本語'.repeat(200),
  '',
]

/** A record and recordings in which everything that an implementation controls is this text. */
function filledWith(text: string): readonly [RunRecord, typeof transcripts] {
  const finding: Finding = { ...failed, message: text, expected: text, actual: text }
  const verdicts = ['fail', 'warn', 'inconclusive', 'not-applicable', 'pass'] as const
  const findings = verdicts.map((verdict) => ({ ...finding, verdict }))
  const record: RunRecord = {
    ...recordOf(findings),
    implementation: { name: text, version: text },
    exit: { code: 1, reason: text },
    failures: [{ scenario: 'denied-consent', message: text }],
    facts: { [text]: text, endpoint: [text] },
    configuration: { declares: { [text]: text } },
    scenarios: [
      {
        id: 'denied-consent',
        title: 'denied',
        control: 'twin',
        outcome: 'unreached',
        reason: text,
        durationMs: 1,
        transcript: {
          file: 'transcripts/denied-consent.jsonl',
          digest: `sha256:${'0'.repeat(64)}`,
        },
      },
      { id: 'twin', title: 'twin', outcome: 'completed', durationMs: 1 },
    ],
  }
  const base = { scenario: 'denied-consent', t: 1, call: text }
  const body = { text, bytes: text.length }
  const headers = { 'content-type': text, location: text, [text || 'x']: text }
  const events: RecordedEvent[] = [
    { ...request, ...base, seq: 1, method: text, url: text, headers, body },
    { ...answer, ...base, seq: 3, type: 'response', status: 200, headers, body } as RecordedEvent,
    {
      ...base,
      seq: 4,
      type: 'failure',
      exchange: 'x9',
      channel: 'callback',
      code: text,
      message: text,
    },
    {
      ...base,
      seq: 5,
      type: 'provider',
      event: 'decision',
      detail: { action: text, [text]: text },
    },
    { ...base, seq: 6, type: 'step', action: 'mark', detail: { name: text } },
    { ...base, seq: 7, type: 'output', source: text, text, bytes: 1 },
    { ...base, seq: 8, type: 'surface', source: text, conversation: text, text },
    { ...base, seq: 9, type: 'end', outcome: 'unreached', reason: text },
  ]
  const evidence = events.map(({ scenario, seq }) => ({ scenario, seq }))
  const twin = events.map((event) => ({ ...event, scenario: 'twin' }))
  return [
    { ...record, findings: record.findings.map((each) => ({ ...each, evidence })) },
    new Map([
      ['denied-consent', new Transcript(events)],
      ['twin', new Transcript(twin)],
    ]),
  ]
}

function everyView(check: (view: typeof renderers, text: string) => void): void {
  for (const attack of attacks) check(renderers, attack)
  const any = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom(...attacks.filter(({ length }) => length < 1000)), { maxLength: 3 })
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(any, (text) => {
      check(renderers, text)
    }),
    { numRuns: 40 },
  )
}

/** Controls but line breaks, bidirectional and other formats, halves of characters. */
const acting = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const elements = new Set(
  'html head meta title style body svg defs marker path header p h1 h2 h3 small code time span nav a main section article dl div dt dd ul ol li details summary pre table caption thead tbody tr th td footer line text rect g b br search label input select option output'.split(
    ' ',
  ),
)

describe('HTML', () => {
  test('has only elements and attributes of the report', () => {
    everyView(({ html }, text) => {
      const page = html(...filledWith(text))
      const body = page.slice(page.indexOf('</style>') + 8, page.lastIndexOf('<script>'))
      const tags = [...body.matchAll(/<\/?([^\s>]*)[^>]*>/g)]
      const foreign = tags.filter(
        ([tag, name = '']) =>
          !elements.has(name) ||
          /\s(on\w+|style|src|srcset|action|formaction)\s*=|href="(?!#|https:\/\/document\.test\/")/i.test(
            tag,
          ),
      )
      expect(foreign).toEqual([])
      expect(tags.length).toBeGreaterThan(100)
      expect(body.replaceAll('\t', '')).not.toMatch(acting)
    })
  })

  test('stays bounded', () => {
    const [record, recordings] = filledWith('x'.repeat(1024 * 1024))
    expect(renderers.html(record, recordings).length).toBeLessThan(600_000)
  })
})

test('no text view has a character that a terminal would obey', () => {
  everyView(({ markdown, tap, sarif, github, badge, shields }, text) => {
    for (const render of [markdown, tap, sarif, github, badge, shields]) {
      expect(render(...filledWith(text))).not.toMatch(acting)
    }
  })
})

interface MarkdownNode {
  readonly type: string
  readonly url?: string
  readonly children?: readonly MarkdownNode[]
}

function typesIn(node: MarkdownNode): string[] {
  return [node.type, ...(node.children ?? []).flatMap(typesIn)]
}

function linksIn(node: MarkdownNode): string[] {
  const own = node.type === 'link' ? [String(node.url)] : []
  return [...own, ...(node.children ?? []).flatMap(linksIn)]
}

test('Markdown stays headings, lists, words, code and a link to the specification', async () => {
  const allowed = ['root', 'heading', 'paragraph', 'sentence', 'word', 'whitespace', 'text']
  const structure = [...allowed, 'list', 'listItem', 'inlineCode', 'break', 'position', 'link']
  const pages: string[] = []
  everyView(({ markdown }, text) => {
    pages.push(markdown(...filledWith(text)))
  })
  for (const page of pages) {
    const tree = (await parsers.markdown.parse(page, {} as never)) as MarkdownNode
    expect(structure).toEqual(expect.arrayContaining([...new Set(typesIn(tree))]))
    expect(new Set(linksIn(tree))).toEqual(new Set(['https://document.test/']))
    expect(page.match(/^#+ .*/gm)).toHaveLength(5)
    expect(page.length).toBeLessThan(60_000)
  }
})

test('XML is well-formed: every tag is ours and closed', () => {
  everyView(({ junit, badge }, text) => {
    for (const render of [junit, badge]) {
      const xml = render(...filledWith(text)).replace(/^<\?xml[^>]*\?>/, '')
      const open: string[] = []
      for (const [, close, name = '', attributes = '', empty] of xml.matchAll(
        /<(\/?)([\w-]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
      )) {
        expect(attributes.replace(/&(amp|lt|gt|quot|apos|#9|#10|#13);/g, '')).not.toContain('&')
        if (close) expect(open.pop()).toBe(name)
        else if (!empty) open.push(name)
      }
      expect(open).toEqual([])
      const between = xml.replace(/<(\/?)([\w-]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/g, '')
      expect(between).not.toMatch(/[<]|&(?!(amp|lt|gt|quot|apos|#9|#10|#13);)/)
    }
  })
})

test('TAP has the points that were planned, and no directive that is not ours', () => {
  everyView(({ tap }, text) => {
    const lines = tap(...filledWith(text))
      .trimEnd()
      .split('\n')
    expect(lines.filter((line) => /^(not )?ok /.test(line))).toHaveLength(5)
    expect(lines.filter((line) => /^(not )?ok .*(?<!\\)#/.test(line))).toHaveLength(1)
    for (const line of lines) {
      expect(line).toMatch(
        /^(TAP version 14|1\.\.5|# .*|(not )?ok \d - .*| {2}(---|\.\.\.|\w+: ".*"))$/,
      )
    }
  })
})

test('SARIF and the shields endpoint stay JSON of their own members', () => {
  everyView(({ sarif, shields }, text) => {
    const [record, recordings] = filledWith(text)
    const { runs } = JSON.parse(sarif(record, recordings)) as { runs: { results: object[] }[] }
    expect(runs[0]?.results).toHaveLength(3)
    expect(Object.keys(JSON.parse(shields(record, recordings)) as object)).toEqual([
      'schemaVersion',
      'label',
      'message',
      'color',
      'isError',
    ])
  })
})

test('annotations are the commands that were meant, one a line', () => {
  everyView(({ github }, text) => {
    const lines = github(...filledWith(text))
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/^::(error|warning) title=[^:,]*::(?!.*[\r\n])/)
  })
})
