/** The page that posts an authorization response to the client (OAuth 2.0 Form Post Response Mode §2). */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Reply } from '../http/reply.ts'
import { page } from './pages.ts'

const script = 'document.forms[0].submit()'

/** Byte for byte what the hash is of. */
const scriptElement = raw(`<script>${script}</script>`)

const scriptHash = createHash('sha256').update(script).digest('base64')

/** The page; it submits itself, and has a button where scripts do not run. */
export function formPostPage(
  redirectUri: string,
  parameters: readonly (readonly [name: string, value: string])[],
): Promise<Reply> {
  return page(
    'Back to the application',
    html`<h1>Back to the application</h1>
      <form method="post" action="${redirectUri}">
        ${parameters.map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        <p class="actions"><button>Continue</button></p>
      </form>
      ${scriptElement}`,
    { scripts: `'sha256-${scriptHash}'` },
  )
}
