/**
 * The run as one HTML page that needs nothing else: no script, no network, no other file. The content security policy
 * allows the page's own style sheet by its digest and nothing besides, whatever else might have got into it.
 */

import { createHash } from 'node:crypto'
import type { Transcripts } from '../evidence.ts'
import { headline } from '../headline.ts'
import type { RunRecord } from '../run-record.ts'
import { declared } from './declared.ts'
import { arrowHead } from './diagram.ts'
import { findings } from './findings.ts'
import { head } from './head.ts'
import { markup, verbatim } from './markup.ts'
import { matrix } from './matrix.ts'
import { scenarios } from './scenarios.ts'
import { style } from './style.ts'
import { viewOf } from './view.ts'

const styleDigest = createHash('sha256').update(style).digest('base64')
/** CSP Level 3; a policy in a `meta` element cannot say `frame-ancestors` or `sandbox`. */
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'`

/** The report as a complete document. */
export function reportHtml(record: RunRecord, transcripts: Transcripts): string {
  const view = viewOf(record, transcripts)
  const title = `${headline(record)}: ${record.implementation.name.slice(0, 120)} as ${record.profile}`
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${arrowHead}
${head(record)}
<nav aria-label="Sections"><a href="#findings">Findings</a><a href="#requirements">Requirements</a><a href="#scenarios">Scenarios</a><a href="#declared">What was declared</a></nav>
<main>
${findings(view)}
${matrix(view)}
${scenarios(view)}
${declared(record)}
</main>
<footer><p class="source">Written by ${record.suite.name} ${record.suite.version}. Secrets were replaced by names when they were recorded; invisible characters are written out as ‹U+202E›; long texts are cut, the transcripts are complete.</p></footer>
</body>
</html>
`)
}
