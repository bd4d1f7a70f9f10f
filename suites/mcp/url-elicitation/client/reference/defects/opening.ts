/** Defects: what is opened or fetched, and when. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { altering, withParams } from '../alter.ts'
import type { Defect } from './defect.ts'

/** Opens a URL, and waits until the browser has it. */
export async function openAndWait(url: string): Promise<void> {
  const browser = spawn(process.env['BROWSER'] ?? 'xdg-open', [url], { stdio: 'ignore' })
  await once(browser, 'exit')
}

/** Milliseconds after which nothing more is waited for. */
const patience = 12_000

export const openingDefects: readonly Defect[] = [
  {
    id: 'opened-at-once',
    description: 'the URL is opened before the user is asked whether it may be',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        await openAndWait(url)
        return decide(user, text, url)
      },
      openUrl: () => Promise.resolve(true),
    }),
  },
  {
    id: 'consent-remembered',
    description: 'who has agreed to one URL of a server is not asked about the next',
    parts: ({ consent, openUrl }) => {
      const agreed = new Set<string>()
      return {
        async consent(server, request, ...rest) {
          if (agreed.has(server)) {
            await openUrl(request.url)
            return 'accept'
          }
          const decision = await consent(server, request, ...rest)
          if (decision === 'accept') agreed.add(server)
          return decision
        },
      }
    },
  },
  {
    id: 'first-prompt-shown-again',
    description:
      'every prompt shows what the first one showed; what is opened is what was asked for',
    parts: ({ decide }) => {
      let first: readonly [text: string, url: string] | undefined
      return {
        decide(user, ...shown) {
          first ??= shown
          return decide(user, ...first)
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
    id: 'consent-remembered-by-url',
    description: 'who has agreed to a URL is not asked about the same one again',
    parts: ({ decide }) => {
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
    id: 'third-url-unasked',
    description: 'who has agreed to two URLs is not asked about any further one',
    parts: ({ decide }) => {
      let agreed = 0
      return {
        async decide(user, text, url) {
          const decision = agreed >= 2 ? 'accept' : await decide(user, text, url)
          if (decision === 'accept') agreed += 1
          return decision
        },
      }
    },
  },
  {
    id: 'consent-kept-over-restarts',
    description: 'hosts to which its user agreed are kept in a file, and not asked about again',
    parts: ({ decide }) => {
      const file = join(process.env['DATA_DIR'] ?? '.', 'hosts')
      const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
      return {
        async decide(user, text, url) {
          const { host } = new URL(url)
          if (known.includes(host)) return 'accept'
          const decision = await decide(user, text, url)
          if (decision === 'accept') appendFileSync(file, `${host}\n`)
          return decision
        },
      }
    },
  },
  {
    id: 'preview-fetched',
    description: 'the title of the page is fetched for the prompt',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        const page = await fetch(url).then(
          (response) => response.text(),
          () => '',
        )
        const title = /<title>(.*?)<\/title>/.exec(page)?.[1] ?? 'no title'
        return decide(user, `${text}\n  Title: ${title}`, url)
      },
    }),
  },
  {
    id: 'icon-fetched',
    description: 'the icon of the site is fetched for the prompt',
    parts: ({ decide }) => ({
      async decide(user, text, url) {
        await fetch(new URL('/favicon.ico', url)).catch(() => undefined)
        return decide(user, text, url)
      },
    }),
  },
  {
    id: 'asked-by-head-before-opening',
    description:
      'once the user has agreed, HEAD finds out whether the page is there before it is opened',
    parts: ({ openUrl }) => ({
      async openUrl(url) {
        await fetch(url, { method: 'HEAD' }).catch(() => undefined)
        return openUrl(url)
      },
    }),
  },
  {
    id: 'page-fetched-beside-browser',
    description: 'the page is fetched when the browser opens it, to be read as well',
    parts: ({ openUrl }) => ({
      async openUrl(url) {
        const isOpened = await openUrl(url)
        void fetch(url).catch(() => undefined)
        return isOpened
      },
    }),
  },
  {
    id: 'required-url-opened-anyway',
    description: 'what the error -32042 requires is opened whatever the user says',
    parts: ({ consent, openUrl, handlesRequired }) => {
      const required = new Set<string>()
      return {
        handlesRequired(requests) {
          for (const { url } of requests) required.add(url)
          return handlesRequired(requests)
        },
        async consent(server, request, ...rest) {
          const decision = await consent(server, request, ...rest)
          if (decision !== 'accept' && required.has(request.url)) await openUrl(request.url)
          return decision
        },
      }
    },
  },
  {
    id: 'decoded-url-opened',
    description: 'the URL is decoded before it is handed to the browser',
    parts: ({ openUrl }) => ({ openUrl: (url) => openUrl(decodeURIComponent(url)) }),
  },
  {
    id: 'opened-through-a-shell',
    description: 'the browser is started by a line of a shell, with the URL between double quotes',
    parts: () => ({
      openUrl: (url) => {
        const browser = spawn('sh', ['-c', `"\${BROWSER:-xdg-open}" "${url}"`], {
          stdio: 'ignore',
          detached: true,
        })
        browser.unref()
        return once(browser, 'spawn').then(() => true)
      },
    }),
  },
  {
    id: 'unsafe-required-url-opened',
    description: 'what the error -32042 requires is opened without a look at its scheme',
    parts: ({ handlesRequired, isWebPage }) => {
      const required = new Set<string>()
      return {
        handlesRequired(requests) {
          for (const { url } of requests) required.add(url)
          return handlesRequired(requests)
        },
        isWebPage: (url) => required.has(url) || isWebPage(url),
      }
    },
  },
  {
    id: 'unsafe-modern-url-opened',
    description: 'what a result of 2026-07-28 asks for is opened without a look at its scheme',
    parts: ({ consent }) => ({
      consent(server, request, user, parts) {
        const isWebPage = (): boolean => true
        const isModern = request.elicitationId === undefined
        return consent(server, request, user, isModern ? { ...parts, isWebPage } : parts)
      },
    }),
  },
  {
    id: 'fragment-left-out',
    description: 'the URL is opened without its fragment',
    parts: ({ openUrl }) => ({ openUrl: (url) => openUrl(url.split('#')[0]!) }),
  },
  {
    id: 'empty-parameters-left-out',
    description: 'the URL is opened without the parameters that have no value',
    parts: ({ openUrl }) => ({
      openUrl: (url) => openUrl(url.replaceAll(/(?<=[?&])[^=&#]*=(&|(?=#)|$)/g, '')),
    }),
  },
  {
    id: 'any-scheme-opened',
    description: 'scripts, files and data are opened like web pages',
    parts: () => ({ isWebPage: (url) => URL.canParse(url) }),
  },
  {
    id: 'unsafe-urls-accepted',
    description: 'what is no web page is neither shown nor opened, and accepted',
    parts: ({ isWebPage, decide, openUrl }) => ({
      isWebPage: () => true,
      decide: (user, text, url) =>
        isWebPage(url) ? decide(user, text, url) : Promise.resolve('accept'),
      openUrl: (url) => (isWebPage(url) ? openUrl(url) : Promise.resolve(true)),
    }),
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
    id: 'schemes-compared-by-prefix',
    description: 'whatever begins with http is taken for the URL of a web page',
    parts: () => ({ isWebPage: (url) => url.startsWith('http') && URL.canParse(url) }),
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
    id: 'anything-opened',
    description: 'whatever a server sends is handed to the browser, a URL or not',
    parts: (defaults) => ({
      // The SDK lets nothing through that cannot be parsed.
      ...altering(defaults, {
        incoming: (message) =>
          message['method'] === 'elicitation/create'
            ? withParams(message, ({ url, ...params }) => ({ ...params, url: disguised(url) }))
            : message,
      }),
      isWebPage: () => true,
      openUrl: (url) => defaults.openUrl(bare(url)),
      promptText: (server, { url, ...request }, warning) =>
        defaults.promptText(server, { ...request, url }, warning).replace(url, () => bare(url)),
    }),
  },
]

const disguise = 'any:'

function disguised(url: unknown): unknown {
  if (typeof url !== 'string' || URL.canParse(url)) return url
  return disguise + encodeURIComponent(url)
}

function bare(url: string): string {
  return url.startsWith(disguise) ? decodeURIComponent(url.slice(disguise.length)) : url
}
