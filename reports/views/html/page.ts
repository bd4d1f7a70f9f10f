/**
 * A page that needs nothing else: no script, no network, no other file. Its content security policy allows its own style
 * sheet by digest and nothing besides, whatever else might have got into it.
 */

import { createHash } from 'node:crypto'
import { markup, verbatim, type Markup } from './markup.ts'
import { style } from './style.ts'

const styleDigest = createHash('sha256').update(style).digest('base64')
/** CSP Level 3; a policy in a `meta` element cannot say `frame-ancestors` or `sandbox`. */
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'`

/** A complete document with this title and body. */
export function page(title: string, body: Markup): string {
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
${body}
</body>
</html>
`)
}
