/** The provider's few pages: small, accessible, without script, and everything escaped. */
import { createHash } from 'node:crypto'
import type { OAuthError } from './oauth-error.ts'
import { text, type Reply } from './reply.ts'

/** Who approves when the page is used as it is. */
export const defaultSubject = 'alice'

/** The page that ends what has no client to return to (RFC 8628 §3.3). */
export function finishedPage(approved: boolean): Reply {
  const done = approved ? 'The device is connected' : 'The device is not connected'
  return page(done, `<h1>${done}</h1>\n<p>You can close this page and return to your device.</p>`)
}

/** The page on which a user enters the code that a device shows (RFC 8628 §3.3). */
export function userCodePage(userCode: string, problem?: string): Reply {
  return page(
    'Connect a device',
    `<h1>Connect a device</h1>
${problem === undefined ? '' : `<p role="alert" id="problem">${escape(problem)}</p>`}
<form method="post">
<p><label>Code shown on the device <input name="user_code" value="${escape(userCode)}" required
autocomplete="off" autocapitalize="characters" spellcheck="false"></label></p>
<p>Go on only if the device in front of you shows this code.</p>
<button>Continue</button>
</form>`,
    problem === undefined ? 200 : 400,
  )
}

/** The page for an error that must not be sent to the client (RFC 6749 §4.1.2.1). */
export function errorPage(error: OAuthError): Reply {
  const { code, message, status } = error
  return page('Error', `<h1>${escape(message)}</h1>\n<p><code>${escape(code)}</code></p>`, status)
}

const style = `:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { margin: 0; color: light-dark(#1b1b1f, #ececf1); background: light-dark(#f4f4f7, #121216) }
main { max-width: 34rem; margin: 2rem auto; padding: 1rem 1.75rem; border-radius: .75rem; background: light-dark(#fff, #1e1e24) }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
code { overflow-wrap: anywhere }
fieldset { border: 1px solid light-dark(#8a8a94, #77777f); border-radius: .5rem; margin: 1rem 0 }
.choice { display: block; padding: .25rem 0 }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; accent-color: light-dark(#0b57d0, #8ab4f8) }
label[for] { display: block }
select, input[type=text], input:not([type]) { font: inherit; width: 100%; padding: .5rem; color: inherit; background: light-dark(#fff, #121216); border: 1px solid light-dark(#6b6b76, #9a9aa6); border-radius: .4rem }
summary { cursor: pointer; padding: .25rem 0 }
.actions { display: flex; gap: .75rem }
button { font: inherit; font-weight: 600; flex: 1; padding: .65rem 1rem; cursor: pointer; border-radius: .4rem; border: 2px solid light-dark(#0b57d0, #8ab4f8); color: light-dark(#fff, #10131a); background: light-dark(#0b57d0, #8ab4f8) }
button.other { color: light-dark(#0b57d0, #8ab4f8); background: transparent }
:focus-visible { outline: 3px solid light-dark(#b3261e, #ffcf70); outline-offset: 2px }
.note { color: light-dark(#55555e, #b4b4be); font-size: .9rem }`

const styleHash = createHash('sha256').update(style).digest('base64')

/** RFC 6749 §10.13: pages must not be framed. There is no script, so none may run. */
const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

/** A page of the provider; `main` is HTML, the title is text. */
export function page(title: string, main: string, status = 200): Reply {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style></head>
<body><main>
${main}
</main></body>
</html>
`
  return text(html, 'text/html; charset=utf-8', status, headers)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML content and quoted attributes. */
export function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
