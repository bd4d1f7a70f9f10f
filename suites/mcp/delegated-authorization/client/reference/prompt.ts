/** What the user reads before a URL is opened: who asks, why, and where it leads. */

import type { AuthRequest } from './work.ts'

/** Schemes of web pages; nothing else is opened, whatever the user says. */
const schemes = ['https:', 'http:']

/** Whether the URL is that of a web page. */
export function isWebPage(url: string): boolean {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol)
}

/** The prompt: the name is that under which the user has configured the server. */
export function promptText(server: string, { url, message }: AuthRequest): string {
  return [
    `${server} asks you to authorize it.`,
    `  Why: ${oneLine(message)}`,
    `  At: ${new URL(url).host}`,
  ].join('\n')
}

/** What a server writes must not look like a part of the prompt. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 500)
}
