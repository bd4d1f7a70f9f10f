/** The provider's few pages: small, accessible, without script, and everything escaped. */
import type { Authorization } from './authorization.ts'
import type { OAuthError } from './oauth-error.ts'
import { text, type Reply } from './reply.ts'

/** Who approves when the page is used as it is. */
export const defaultSubject = 'alice'

/** The page on which the user approves or denies. */
export function consentPage({ id, request }: Authorization, clientName: string): Reply {
  const { scopes, redirectUri } = request
  return page(
    'Authorize',
    `<h1>${escape(clientName)} asks for access</h1>
<p>You will return to ${redirectUri === undefined ? 'your device' : `<code>${escape(redirectUri)}</code>`}.</p>
<h2>It wants to use</h2>
<ul>${scopes.map((scope) => `<li><code>${escape(scope)}</code></li>`).join('')}</ul>
<form method="post" action="${escape(id)}/decision">
<p><label>Signed in as <input name="subject" value="${defaultSubject}" required></label></p>
<button name="action" value="approve">Approve</button>
<button name="action" value="deny">Deny</button>
</form>`,
  )
}

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

/** RFC 6749 §10.13: pages must not be framed. There is no script, so none may run. */
const headers = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

function page(title: string, main: string, status = 200): Reply {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
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
function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
