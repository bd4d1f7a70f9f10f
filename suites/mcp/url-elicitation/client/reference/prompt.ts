/** What the user reads before a URL is opened: who asks, why, and where it leads. */

import type { UrlRequest } from './work.ts'

/** Schemes of web pages; nothing else is opened, whatever the user says. */
const schemes = ['https:', 'http:']

/** Whether the URL is that of a web page. */
export function isWebPage(url: string): boolean {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol)
}

/** What is suspicious about the URL, if anything is. */
export function warningFor(url: string): string | undefined {
  const { hostname, username, password } = new URL(url)
  if (hostname.split('.').some((label) => label.startsWith('xn--')))
    return 'Warning: this host has letters of another alphabet, and may look like a different one.'
  if (username !== '' || password !== '') return 'Warning: there is a user name before the host.'
  return undefined
}

/** The prompt: the name is that under which the user has configured the server. */
export function promptText(server: string, { url, message }: UrlRequest, warning?: string): string {
  return [
    `${server} asks you to open a web page.`,
    `  Why: ${oneLine(message)}`,
    `  Host: ${new URL(url).host}`,
    `  URL: ${url}`,
    ...(warning === undefined ? [] : [`  ${warning}`]),
  ].join('\n')
}

/** What a server writes must not look like a part of the prompt. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 500)
}
