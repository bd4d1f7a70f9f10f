/** Defects: what the user is not shown, or is shown wrongly. */

import { domainToUnicode } from 'node:url'
import type { Defect } from './defect.ts'

/** A line of the prompt is left out. */
const without = (text: string, label: string): string =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith(label))
    .join('\n')

export const showingDefects: readonly Defect[] = [
  {
    id: 'query-hidden',
    description: 'the URL is shown without its query',
    parts: ({ promptText }) => ({
      promptText: (server, request, warning) =>
        promptText(server, { ...request, url: request.url.split('?')[0]! }, warning),
    }),
  },
  {
    id: 'long-url-cut',
    description: 'of a long URL the first 200 characters are shown',
    parts: ({ promptText }) => ({
      promptText: (server, request, warning) =>
        promptText(server, request, warning).replace(/(?<=URL: .{200}).+/, '...'),
    }),
  },
  {
    id: 'url-hidden',
    description: 'neither the URL nor its host is shown',
    parts: ({ promptText }) => ({
      promptText: (...parts) => without(without(promptText(...parts), 'URL:'), 'Host:'),
    }),
  },
  {
    id: 'user-shown-as-host',
    description: 'what stands behind https:// is shown as the host, as far as it looks like one',
    parts: ({ promptText }) => ({
      promptText: (server, request, warning) => {
        const [, host = ''] = /^https?:\/\/([\w.[\]:-]+)/.exec(request.url) ?? []
        return promptText(server, request, warning).replace(/Host: .*/, `Host: ${host}`)
      },
    }),
  },
  {
    id: 'server-unnamed',
    description: 'the prompt does not say which server asks',
    parts: ({ promptText }) => ({
      promptText: (_, ...parts) => promptText('A server', ...parts),
    }),
  },
  {
    id: 'first-server-named',
    description: 'the prompt names the first server that is configured, whichever asks',
    parts: ({ promptText, createTransport }) => {
      let first: string | undefined
      return {
        createTransport(spec) {
          first ??= spec.name
          return createTransport(spec)
        },
        promptText: (server, ...parts) => promptText(first ?? server, ...parts),
      }
    },
  },
  {
    id: 'servers-listed-only',
    description: 'the prompt lists the servers that are configured, and not which of them asks',
    parts: ({ promptText, createTransport }) => {
      const names = new Set<string>()
      return {
        createTransport(spec) {
          names.add(spec.name)
          return createTransport(spec)
        },
        promptText: (_, ...parts) => promptText(`One of ${[...names].join(', ')}`, ...parts),
      }
    },
  },
  {
    id: 'url-behind-a-hyperlink',
    description: 'where the URL leads is behind a link of the terminal',
    parts: ({ promptText }) => ({
      promptText: (server, request, warning) => {
        const text = without(promptText(server, request, warning), 'Host:')
        const link = `\u001b]8;id=7;${request.url}\u001b\\here\u001b]8;;\u001b\\`
        return text.replace(request.url, link)
      },
    }),
  },
  {
    id: 'message-hidden',
    description: 'the prompt does not say why the URL is to be opened',
    parts: ({ promptText }) => ({
      promptText: (...parts) => without(promptText(...parts), 'Why:'),
    }),
  },
  {
    id: 'punycode-unnoticed',
    description: 'a host in Punycode is shown like any other',
    parts: () => ({ warningFor: () => undefined }),
  },
  {
    id: 'punycode-at-the-start-only',
    description: 'Punycode is noticed in the first label of a host, and in no other',
    parts: ({ warningFor }) => ({
      warningFor: (url) => (new URL(url).hostname.startsWith('xn--') ? warningFor(url) : undefined),
    }),
  },
  {
    id: 'punycode-in-small-letters-only',
    description: 'Punycode is noticed where the URL has its prefix in small letters',
    parts: ({ warningFor }) => ({
      warningFor: (url) => (url.includes('xn--') ? warningFor(url) : undefined),
    }),
  },
  {
    id: 'punycode-decoded',
    description: 'a host in Punycode is shown in the letters that it stands for, without a warning',
    parts: ({ promptText }) => ({
      warningFor: () => undefined,
      promptText: (server, request, warning) => {
        const { hostname } = new URL(request.url)
        return promptText(server, request, warning).replaceAll(hostname, domainToUnicode(hostname))
      },
    }),
  },
  {
    id: 'https-called-secure',
    description: 'where the URL has TLS the prompt says that it is secure, and of Punycode nothing',
    parts: () => ({
      warningFor: (url) => (url.startsWith('https:') ? 'Secure connection \u{1f512}' : undefined),
    }),
  },
]
