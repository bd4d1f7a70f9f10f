/**
 * A page that needs nothing else: no network, no other file. Its content security policy allows its own style sheet, and
 * its own script where it has one, by digest and nothing besides, whatever else might have got into it.
 */

import { createHash } from 'node:crypto'
import { markup, verbatim, type Markup } from './markup.ts'
import { style } from './style.ts'

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** CSP Level 3; a policy in a `meta` element cannot say `frame-ancestors` or `sandbox`. */
function policyWith(script: string | undefined): string {
  const scripts = script === undefined ? '' : `script-src ${digestOf(script)}; `
  return `default-src 'none'; style-src ${digestOf(style)}; ${scripts}base-uri 'none'; form-action 'none'`
}

/** A complete document with this title and body, and a script of ours that comes at its end. */
export function page(title: string, body: Markup, script?: string): string {
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyWith(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
${body}
${script !== undefined && markup`<script>${verbatim(script)}</script>`}
</body>
</html>
`)
}
