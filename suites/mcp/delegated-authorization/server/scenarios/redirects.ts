/** Where the callback of a flow is, and which of several redirect URIs the client selects. */

import {
  cite,
  inconclusive,
  mark,
  NotOffered,
  pass,
  show,
  violation,
  type Need,
} from '../../../../../harness/engine/index.ts'
import {
  forgeryReached,
  forgeryWindow,
  unlessUnreached,
} from '../../../../oauth-client/scenarios/index.ts'
import { waitedFor } from '../../../../oauth-client/endings.ts'
import { citeEvents, issuedGrant } from '../../../../oauth-client/view.ts'
import { filledOption } from '../../auth-request.ts'
import { callOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'
import { endsRefused } from './refused-callbacks.ts'
import { offered, port, redirectIn, selectAnother } from './select-option.ts'

const redeemed = (t: Parameters<Judge>[0]) => callOf(t).grants.find(forgeryWindow(t).inside)

/** By what an option lets the client choose. */
const leaves: Readonly<Record<string, string>> = { port: '{port}', name: '//localhost' }

/** What a callback elsewhere must not lead to: by one rule where options are offered, by another where not. */
const refuses =
  (where: string, withOptions: boolean): Judge =>
  (t) => {
    const call = callOf(t)
    const [asked] = call.asked
    if (!asked) return inconclusive('nothing was asked')
    const reached = forgeryReached(t)
    if (typeof reached === 'string') return inconclusive(reached)
    const grant = redeemed(t)
    if (!grant) return pass('no token request followed', reached)
    const left = leaves[where]
    if (left !== undefined && offered(call).some((each) => each.includes(left)))
      return pass(`the options leave the ${where} to the client`, reached)
    const offers = offered(call).length > 0
    if (offers !== withOptions) {
      const other = withOptions ? 'check-callback-base' : 'refuse-unregistered'
      if (withOptions) return pass('no options are offered', citeEvents(asked))
      return inconclusive(`options are offered: ${other} judges it`, reached)
    }
    return violation(
      `a callback on another ${where} was redeemed`,
      {
        expected: offers ? `one of ${offered(call).join(', ')}` : 'the redirect_uri of the request',
        actual: `a token request, ${String(grant.detail['outcome'])}`,
      },
      [...reached, ...cite(grant)],
    )
  }

const otherScheme = ({ protocol }: URL): string => (protocol === 'https:' ? 'http:' : 'https:')

function inOtherCase({ href, pathname }: URL): string {
  const upper = pathname.toUpperCase()
  const other = upper === pathname ? pathname.toLowerCase() : upper
  return Object.assign(new URL(href), { pathname: other, search: '' }).href
}

const elsewhere = [
  ['origin', (url: URL) => `https://elsewhere.example/${url.pathname.replace(/^\//, '')}`],
  // What begins alike is somebody else's (RFC 3986 §3.2.1).
  ['host', (url: URL) => `${url.origin}@elsewhere.example${url.pathname}`],
  ['path', (url: URL) => `${url.href.split('?')[0]}/elsewhere`],
  // Paths are case-sensitive (RFC 3986 §6.2.2.1).
  ['case-of-the-path', inOtherCase],
  [
    'scheme',
    (url: URL) => `${otherScheme(url)}${String(url.href.split('?')[0]).slice(url.protocol.length)}`,
  ],
  [
    'port',
    (url: URL) => Object.assign(new URL(url), { port: Number(url.port) + 1, search: '' }).href,
  ],
  // Not the same: who listens there, the resolver says (RFC 8252 §8.3).
  ['name', ({ origin, pathname }: URL) => origin.replace('//127.0.0.1', '//localhost') + pathname],
] as const

/** A redirect URI of a scheme of its own may have no host, and then no port. */
const otherPlace: Need = {
  what: 'a redirect URI that can be moved so',
  seen: () => undefined,
}

const unregistered = elsewhere.map(([where, move]) =>
  scenario({
    id: `callback-on-another-${where}`,
    title: `the parameters of the genuine callback, on another ${where}`,
    control,
    needs: otherPlace,
    async drive({ begin, user, observe, mark: marks }) {
      const call = begin(user)
      const flow = await user.consent(call)
      const url = new URL(flow.redirect)
      const moved = move(url) + url.search
      if (moved === url.href)
        throw new NotOffered(`its redirect URI cannot be moved to another ${where}`)
      marks('forged')
      await user.follow(flow, moved)
      await observe()
      await call.settle()
    },
    checks: [
      check(
        'mcp-delegated-authorization/server/refuse-unregistered',
        `refuses a callback on another ${where}`,
        refuses(where, true),
      ),
      check(
        'mcp-delegated-authorization/server/check-callback-base',
        `refuses it also without options`,
        refuses(where, false),
      ),
      endsRefused((_, t) => forgeryReached(t)),
    ],
  }),
)

const selected = scenario({
  id: 'second-option',
  title: 'the client selects another redirect URI that is offered, the second one where it can',
  control,
  async drive({ begin, user, mark: marks }) {
    const call = begin(user)
    marks('selected', { redirectUri: await selectAnother(call) })
    await user.approve(call)
    await call.ended()
  },
  checks: [
    check(
      'mcp-delegated-authorization/server/redeem-selected',
      'repeats it at the token endpoint',
      (t) => {
        const call = callOf(t)
        const chosen = mark(t, 'selected')
        const reached = t.requests('browser', call.name)[0]
        if (!reached || !chosen) return inconclusive('no callback was returned')
        const issued = issuedGrant(call)
        if (issued) return pass('the code was redeemed', cite(reached, issued))
        const [refused] = call.grants
        if (chosen.detail['redirectUri'] === undefined)
          return inconclusive(
            'it offers no other redirect URI, and that of the request was not redeemed',
          )
        if (!refused && !waitedFor(call, t)) return inconclusive('the run did not wait for the end')
        return violation(
          'a callback at an option was not redeemed with the redirect URI that it came to',
          {
            expected: `redirect_uri ${show(chosen.detail['redirectUri'])} at the token endpoint`,
            actual: refused ? String(refused.detail['error']) : 'no token request',
          },
          cite(reached, refused, ...call.ended.map(({ event }) => event)),
        )
      },
    ),
  ],
})

/** Redirect URIs that are tried at most. */
const mostOptions = 10

const registered = scenario({
  id: 'options-visited',
  title: 'the authorization URL with each redirect URI that is offered',
  control,
  async drive({ begin, user, mark: marks }) {
    const call = begin(user)
    const url = await call.asked()
    if (redirectIn(url) === undefined) return
    for (const option of offered(call.view()).slice(0, mostOptions)) {
      const filled = filledOption(option, port)
      if (filled === undefined) continue
      marks('option', { option, filled })
      call.select(filled)
      // A provider that refuses it shows a page instead.
      await user.open(call).catch(unlessUnreached)
    }
  },
  checks: [
    check(
      'mcp-delegated-authorization/server/options-registered',
      'offers registered redirect URIs only',
      (t) => {
        const call = callOf(t)
        const [asked] = call.asked
        if (!asked) return inconclusive('nothing was asked')
        if (offered(call).length === 0) return pass('it offers none', citeEvents(asked))
        if (redirectIn(asked.url) === undefined)
          return pass('its redirect URI is not for the client to replace', citeEvents(asked))
        const tried = t.steps('mark').filter(({ detail }) => detail['name'] === 'option')
        const requests = call.authorizationRequests
        if (tried.length === 0)
          return pass('it offers templates that only its provider can fill', citeEvents(asked))
        for (const { detail } of tried) {
          const seen = requests.find((each) => each.detail['redirectUri'] === detail['filled'])
          if (seen?.detail['valid'] === true) continue
          if (!seen && requests.length < tried.length)
            return inconclusive(`${show(detail['option'])} was not tried`, citeEvents(asked))
          return violation(
            'a redirect URI is offered that the provider does not know',
            { expected: 'a registered one', actual: show(detail['option']) },
            [...citeEvents(asked), ...cite(seen)],
          )
        }
        return pass(`${tried.length} options`, [...citeEvents(asked), ...cite(...requests)])
      },
    ),
  ],
})

export const redirectScenarios = [...unregistered, selected, registered]
