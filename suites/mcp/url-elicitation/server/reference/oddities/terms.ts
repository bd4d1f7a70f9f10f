/** A page of the server's own that those agree to who are new, behind an elicitation of its own. */

import { html } from 'hono/html'

import type { Elicitation, Elicitations } from '../elicitations.ts'
import type { Asking } from '../mcp/ask-by-request.ts'
import type { Parts } from '../parts.ts'

export interface Terms {
  /** How whoever is new is asked to open the page; `undefined` for who has agreed. */
  readonly ask: (asking: Asking) => Asking | undefined
  /** The steps of a server that has the page. */
  readonly parts: Partial<Parts>
}

export function termsOf(defaults: Parts): Terms {
  let kept: Elicitations | undefined
  const pages = new Map<string, Elicitation>()
  const agreed = new Set<string>()
  return {
    ask(asking) {
      const { principal, owner, scopes, id } = asking.elicitation
      if (!kept || agreed.has(owner)) return undefined
      const elicitation = kept.open(principal, scopes)
      pages.set(elicitation.id, elicitation)
      const url = asking.request.url.replace(id, elicitation.id)
      const message = 'Read our terms, and agree to them.'
      return {
        ...asking,
        elicitation,
        request: { ...asking.request, url, message, elicitationId: elicitation.id },
      }
    },
    parts: {
      openElicitation(elicitations, principal, scopes) {
        kept = elicitations
        return defaults.openElicitation(elicitations, principal, scopes)
      },
      sendToProvider(http, url) {
        const { elicitation = '', agree } = http.req.query()
        const page = pages.get(elicitation)
        if (!page) return defaults.sendToProvider(http, url)
        if (agree === undefined) return http.html(formOf(http.req.path, elicitation))
        agreed.add(page.owner)
        page.settle({ kind: 'authorized' })
        return http.html('<!doctype html><title>Thank you</title>')
      },
    },
  }
}

function formOf(action: string, elicitation: string) {
  return html`<!doctype html>
    <title>Terms</title>
    <form action="${action}">
      <input type="hidden" name="elicitation" value="${elicitation}" />
      <input type="hidden" name="agree" value="yes" />
      <button>I agree</button>
    </form>`
}
