/** The provider's few pages: small, accessible, without script, and everything escaped by the template. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { OAuthError } from '../http/oauth-error.ts'
import { text, type Reply } from '../http/reply.ts'
import { logoSource, styleOf, type Branding } from './branding.ts'

type Html = ReturnType<typeof html>

/** Who approves when the page is used as it is. */
export const defaultSubject = 'alice'

/** The page that ends what has no client to return to (RFC 8628 §3.3). */
export function finishedPage(approved: boolean, branding?: Branding): Promise<Reply> {
  const done = approved ? 'The device is connected' : 'The device is not connected'
  return page(
    done,
    html`<h1>${done}</h1>
      <p>You can close this page and return to your device.</p>`,
    { branding },
  )
}

/** The page on which a user enters the code that a device shows (RFC 8628 §3.3). */
export function userCodePage(
  userCode: string,
  {
    problem,
    branding,
  }: { readonly problem?: string; readonly branding?: Branding | undefined } = {},
): Promise<Reply> {
  return page(
    'Connect a device',
    html`<h1>Connect a device</h1>
      ${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}
      <form method="post">
        <p>
          <label
            >Code shown on the device
            <input
              name="user_code"
              value="${userCode}"
              required
              autocomplete="off"
              autocapitalize="characters"
              spellcheck="false"
          /></label>
        </p>
        <p>Continue only if the device in front of you shows this code.</p>
        <button>Continue</button>
      </form>`,
    { status: problem === undefined ? 200 : 400, branding },
  )
}

/** The page that asks whether to sign out (OpenID Connect RP-Initiated Logout §2). */
export function signOutPage(
  clientName: string | undefined,
  parameters: readonly (readonly [name: string, value: string])[],
  branding?: Branding,
): Promise<Reply> {
  const asking = clientName === undefined ? 'Somebody' : clientName
  return page(
    'Sign out',
    html`<h1>Sign out?</h1>
      <p>${asking} asks you to sign out here.</p>
      <form method="post">
        ${parameters
          .filter(([name]) => name !== 'confirm')
          .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <p class="actions"><button name="confirm" value="yes">Sign out</button></p>
      </form>`,
    { branding },
  )
}

/** The page that ends a session where no client wants the user back. */
export function signedOutPage(branding?: Branding): Promise<Reply> {
  return page('Signed out', html`<h1>You are signed out</h1>`, { branding })
}

/** The page at the issuer itself, with links. */
export function startPage(
  issuer: string,
  links: readonly (readonly [address: string, text: string])[],
): Promise<Reply> {
  return page(
    'Mock OAuth provider',
    html`<h1>Mock OAuth provider</h1>
      <p>The issuer <code>${issuer}</code>. Nothing here is real.</p>
      <ul>
        ${links.map(([address, text]) => html`<li><a href="${address}">${text}</a></li>`)}
      </ul>`,
  )
}

/** Something that explains an error to whoever has to mend it. */
export interface Fact {
  readonly name: string
  readonly values: readonly string[]
}

/** The page for an error that must not be sent to the client (RFC 6749 §4.1.2.1). */
export function errorPage(
  { code, message, status }: OAuthError,
  facts: readonly Fact[] = [],
): Promise<Reply> {
  return page(
    'Error',
    html`<h1>${message}</h1>
      <p><code>${code}</code></p>
      ${
        facts.length > 0
          ? html`<dl>
              ${facts.map(
                ({ name, values }) =>
                  html`<dt>${name}</dt>
                    ${values.map((value) => html`<dd><code>${value}</code></dd>`)}`,
              )}
            </dl>`
          : ''
      }`,
    { status },
  )
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
select, input[type=text], input:not([type]) { box-sizing: border-box; font: inherit; width: 100%; padding: .5rem; color: inherit; background: light-dark(#fff, #121216); border: 1px solid light-dark(#6b6b76, #9a9aa6); border-radius: .4rem }
summary { cursor: pointer; padding: .25rem 0 }
.actions { display: flex; gap: .75rem }
button { font: inherit; font-weight: 600; flex: 1; padding: .65rem 1rem; cursor: pointer; border-radius: .4rem; border: 2px solid light-dark(#0b57d0, #8ab4f8); color: light-dark(#fff, #10131a); background: light-dark(#0b57d0, #8ab4f8) }
button.other { color: light-dark(#0b57d0, #8ab4f8); background: transparent }
:focus-visible { outline: 3px solid light-dark(#b3261e, #ffcf70); outline-offset: 2px }
.note { color: light-dark(#55555e, #b4b4be); font-size: .9rem }`

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

const usualHash = hashOf(style)

/** RFC 6749 §10.13: pages must not be framed. */
const unframed = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

interface PageOptions {
  readonly status?: number
  /** The scripts that may run, as the policy names them. Default: none. */
  readonly scripts?: string
  readonly branding?: Branding | undefined
}

/** A page of the provider. Hardly any has a script, so none other may run. */
export async function page(
  title: string,
  main: Html,
  { status = 200, scripts = "'none'", branding }: PageOptions = {},
): Promise<Reply> {
  const styles = branding ? `${style}\n${styleOf(branding)}` : style
  const images = branding?.logo === undefined ? "'none'" : logoSource(branding.logo)
  const document = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${
          // byte for byte what the hash is of
          raw(`<style>${styles}</style>`)
        }
      </head>
      <body>
        <main>${branding ? brand(branding) : ''}${main}</main>
      </body>
    </html> `
  const hash = branding ? hashOf(styles) : usualHash
  return text(String(document), 'text/html; charset=utf-8', status, {
    ...unframed,
    'content-security-policy': `default-src 'none'; script-src ${scripts}; style-src 'sha256-${hash}'; img-src ${images}; base-uri 'none'; frame-ancestors 'none'`,
  })
}

/** A document that the provider's owner wrote: what it loads and runs is the owner's business. */
export function ownPage(document: string): Reply {
  return text(document, 'text/html; charset=utf-8', 200, {
    ...unframed,
    'content-security-policy': "frame-ancestors 'none'",
  })
}

function brand({ name, logo }: Branding): Html | string {
  if (name === undefined && logo === undefined) return ''
  const image = logo === undefined ? '' : html`<img src="${logo}" alt="" />`
  return html`<p class="brand">${image}${name ?? ''}</p>`
}
