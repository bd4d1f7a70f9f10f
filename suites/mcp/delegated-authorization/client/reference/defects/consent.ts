/** Defects of what is declared, shown, asked and opened. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'
import type { Decision } from '../work.ts'

/** Opens a URL, and waits until the browser has it. */
async function openAndWait(url: string): Promise<void> {
  const browser = spawn(process.env['BROWSER'] ?? 'xdg-open', [url], { stdio: 'ignore' })
  await once(browser, 'exit')
}

/** Milliseconds after which nothing more is waited for. */
const patience = 12_000

export const consentDefects: readonly Defect[] = [
  {
    id: 'url-put-together-anew',
    description: 'the URL is made of a table of its parameters, in which each stands once',
    parts: ({ openUrl }) => ({
      openUrl(url) {
        const { origin, pathname, searchParams } = new URL(url)
        const query = new URLSearchParams(Object.fromEntries(searchParams))
        return openUrl(`${origin}${pathname}?${query.toString()}`)
      },
    }),
  },
  {
    id: 'declared-as-experimental',
    description: 'the capability is declared among the experimental ones',
    parts: () => ({
      capabilities: () =>
        ({ experimental: { delegated_authorization: {} } }) satisfies ClientCapabilities,
    }),
  },
  {
    id: 'domain-not-shown',
    description: 'the prompt does not say where the URL leads',
    parts: () => ({
      promptText: (server, { message }) => `${server} asks you to authorize it: ${message}`,
    }),
  },
  {
    id: 'user-shown-as-domain',
    description: 'what stands behind https:// is shown as the domain, as far as it looks like one',
    parts: ({ promptText }) => ({
      promptText: (server, { url, message }) =>
        promptText(server, { message, url: /^https?:\/\/[\w.[\]:-]+/.exec(url)?.[0] ?? url }),
    }),
  },
  {
    id: 'address-shown-as-domain',
    description: 'what stands behind the last @ is shown as the domain',
    parts: ({ promptText }) => ({
      promptText: (server, { url, message }) =>
        promptText(server, { message, url: url.replace(/^https?:.*@/, 'https://') }),
    }),
  },
  {
    id: 'domain-cut-short',
    description: 'the domain is shown as far as there is room for it in a line',
    parts: ({ promptText }) => ({
      promptText: (...args) =>
        promptText(...args)
          .split('\n')
          .map((line) => line.slice(0, 72))
          .join('\n'),
    }),
  },
  {
    id: 'message-not-shown',
    description: 'the prompt does not say why',
    parts: () => ({
      promptText: (server, { url }) => `${server} asks you to authorize it at ${new URL(url).host}`,
    }),
  },
  {
    id: 'opened-at-once',
    description: 'the URL is opened before the user is asked',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        await openAndWait(url)
        return decide(user, text, url)
      },
    }),
  },
  {
    id: 'consent-remembered',
    description: 'who has agreed once is not asked again',
    parts({ decide }) {
      let agreed = false
      return {
        async decide(user, text, url) {
          const decision = agreed ? 'accept' : await decide(user, text, url)
          agreed = decision === 'accept'
          return decision
        },
      }
    },
  },
  {
    id: 'silence-stands-for-consent',
    description: 'who has not answered a prompt after a while has agreed',
    parts: ({ decide }) => ({
      decide: (user, text, url) =>
        Promise.race([decide(user, text, url), setTimeout(patience, 'accept' as const)]),
    }),
  },
  {
    id: 'latest-question-answered',
    description: 'what the user says first goes to whatever was asked for last',
    parts({ decide }) {
      const waiting: ((decision: Decision) => void)[] = []
      return {
        decide: (...prompt) =>
          new Promise((resolve) => {
            waiting.push(resolve)
            void decide(...prompt).then((decision) => waiting.pop()?.(decision))
          }),
      }
    },
  },
  {
    id: 'one-consent-for-all',
    description: 'an accept is an accept of everything that is asked for at that time',
    parts({ decide }) {
      const waiting = new Set<(decision: Decision) => void>()
      return {
        decide: (...prompt) =>
          new Promise((resolve) => {
            waiting.add(resolve)
            void decide(...prompt).then((decision) => {
              if (decision === 'accept') for (const each of waiting) each(decision)
              waiting.delete(resolve)
              resolve(decision)
            })
          }),
      }
    },
  },
  {
    id: 'consent-remembered-by-url',
    description: 'who has agreed to a URL is not asked about the same one again',
    parts({ decide }) {
      const agreed = new Set<string>()
      return {
        async decide(user, text, url) {
          const decision = agreed.has(url) ? 'accept' : await decide(user, text, url)
          if (decision === 'accept') agreed.add(url)
          return decision
        },
      }
    },
  },
  {
    id: 'decline-turned-into-consent',
    description: 'who has declined once is not asked again, and the next URL is opened',
    parts({ decide }) {
      let declined = false
      return {
        async decide(user, text, url) {
          const decision = declined ? 'accept' : await decide(user, text, url)
          declined = decision !== 'accept'
          return decision
        },
      }
    },
  },
  {
    id: 'later-decline-is-consent',
    description: 'from the second prompt on the URL is opened whatever the user says',
    parts({ decide }) {
      let isLater = false
      return {
        async decide(...args) {
          const decision = await decide(...args)
          if (isLater) return 'accept'
          isLater = true
          return decision
        },
      }
    },
  },
  {
    id: 'path-unescaped',
    description: 'the path of the URL is decoded before it is opened',
    parts: ({ openUrl }) => ({
      openUrl: (url) =>
        openUrl(
          url.replace(new URL(url).pathname, (path) => decodeURI(path).replaceAll('%2F', '/')),
        ),
    }),
  },
  {
    id: 'first-domain-shown',
    description: 'the prompt says where the first URL of a server has led',
    parts: (defaults) => showingFirst(defaults, 'url'),
  },
  {
    id: 'first-message-shown',
    description: 'the prompt says why the server has asked the first time',
    parts: (defaults) => showingFirst(defaults, 'message'),
  },
  {
    id: 'redirect-shown-as-domain',
    description: 'the prompt says where the redirect goes, and not where the URL leads',
    parts: ({ promptText }) => ({
      promptText: (server, { url, message }) =>
        promptText(server, { message, url: new URL(url).searchParams.get('redirect_uri') ?? '' }),
    }),
  },
  {
    id: 'opened-although-declined',
    description: 'the URL is opened whatever the user says',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const decision = await decide(user, text, url)
        if (decision === 'decline') await openAndWait(url)
        return decision
      },
    }),
  },
  {
    id: 'opened-twice',
    description: 'the URL is opened a second time, in case the first one failed',
    parts: () => ({
      async openUrl(url) {
        await openAndWait(url)
        await openAndWait(url)
        return true
      },
    }),
  },
  {
    id: 'opened-by-a-shell',
    description: 'a shell starts the browser, and carries out what the URL holds',
    parts: () => ({
      openUrl: (url) =>
        new Promise((resolve) => {
          const shell = spawn('sh', ['-c', `"$BROWSER" "${url}"`], { stdio: 'ignore' })
          shell.once('exit', (code) => resolve(code === 0))
        }),
    }),
  },
  {
    id: 'title-fetched',
    description: 'the title of the page is fetched for the prompt',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        await fetch(url).catch(() => undefined)
        return decide(user, text, url)
      },
    }),
  },
  {
    id: 'metadata-fetched-after-consent',
    description: 'the metadata of the authorization server is fetched when the user has agreed',
    parts: ({ openUrl }) => ({
      async openUrl(url) {
        await fetch(new URL('/.well-known/oauth-authorization-server', url)).catch(() => undefined)
        return openUrl(url)
      },
    }),
  },
  {
    id: 'opens-again-after-a-stray',
    description: 'when something else than the callback comes, the URL is opened again',
    parts({ isCallback, openUrl }) {
      let opened = ''
      return {
        openUrl(url) {
          opened = url
          return openUrl(url)
        },
        isCallback(...args) {
          const isOwn = isCallback(...args)
          if (!isOwn) void openUrl(opened)
          return isOwn
        },
      }
    },
  },
  {
    id: 'metadata-fetched-after-denial',
    description:
      'the metadata of the authorization server is fetched when the callback has an error',
    parts({ openUrl, resultOf, closeListener }) {
      let [opened, failed] = ['', false]
      return {
        openUrl(url) {
          opened = url
          return openUrl(url)
        },
        resultOf(callback) {
          failed = new URL(callback).searchParams.has('error')
          return resultOf(callback)
        },
        async closeListener(listener) {
          const metadata = new URL('/.well-known/oauth-authorization-server', opened)
          if (failed) await fetch(metadata).catch(() => undefined)
          await closeListener(listener)
        },
      }
    },
  },
  {
    id: 'anything-opened',
    description: 'whatever the server wants is opened',
    parts: ({ authorize, openUrl }) => ({
      async authorize(server, request, user, parts) {
        if (parts.isWebPage(request.url)) return authorize(server, request, user, parts)
        if ((await user.ask(`${server} asks you to open this`, request.url)) === 'accept')
          await openUrl(request.url)
        return {}
      },
    }),
  },
  {
    id: 'schemes-compared-by-prefix',
    description: 'whatever begins with http is taken for the URL of a web page',
    parts: () => ({ isWebPage: (url) => url.startsWith('http') && URL.canParse(url) }),
  },
  {
    id: 'listed-schemes-refused',
    description:
      'scripts, files and data are refused by their names, and everything else is opened',
    parts: () => ({
      isWebPage: (url) => URL.canParse(url) && !/^(javascript|file|data):/.test(url),
    }),
  },
  {
    id: 'first-url-looked-at',
    description: 'after the URL of a web page no other one is looked at',
    parts: ({ isWebPage }) => {
      let isTrusted = false
      return { isWebPage: (url) => (isTrusted ||= isWebPage(url)) }
    },
  },
  {
    id: 'web-page-anywhere-in-it',
    description: 'whatever has https:// in it is taken for the URL of a web page',
    parts: () => ({ isWebPage: (url) => URL.canParse(url) && /https?:\/\//.test(url) }),
  },
  {
    id: 'mail-and-telephone-opened',
    description: 'what is for the mail and the telephone of the user is opened like a web page',
    parts: ({ isWebPage }) => ({
      isWebPage: (url) => isWebPage(url) || /^(mailto|tel|sms):/i.test(url),
    }),
  },
  {
    id: 'scripts-opened',
    description: 'whatever can be parsed as a URL is opened, scripts and files included',
    parts: ({ authorize, openUrl }) => ({
      async authorize(server, request, user, parts) {
        if (parts.isWebPage(request.url) || !URL.canParse(request.url))
          return authorize(server, request, user, parts)
        if ((await user.ask(`${server} asks you to open this`, request.url)) === 'accept')
          await openUrl(request.url)
        return {}
      },
    }),
  },
]

/** The prompt shows a member as the first request of that server had it. */
function showingFirst({ promptText }: Parts, member: 'url' | 'message'): Partial<Parts> {
  const first = new Map<string, string>()
  return {
    promptText(server, request) {
      const shown = first.get(server) ?? request[member]
      first.set(server, shown)
      return promptText(server, { ...request, [member]: shown })
    },
  }
}
