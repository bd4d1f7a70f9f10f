/** What a page offers somebody who wants to go on: its only button, or its only link. */

import type { HttpResponse } from '../http.ts'
import { attribute } from './markup.ts'

/** Where a browser goes next, and with which form. */
export interface Navigation {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
}

/** The request by which a browser goes there. */
export function requestFor({ method, body }: Navigation) {
  return body === undefined
    ? { method, headers: {} }
    : { method, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }
}

/**
 * Where the only form of a page leads, filled in as it came, or its only link. A page that one has come back to with an
 * answer of the provider is the end of the way.
 */
export function onwards(
  { status, headers, body }: HttpResponse,
  url: string,
): Navigation | undefined {
  const { searchParams } = new URL(url)
  const isAnswer = searchParams.has('code') || searchParams.has('error')
  if (status !== 200 || isAnswer || !/^text\/html\b/i.test(headers['content-type'] ?? ''))
    return undefined
  const forms = [...body.text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)]
  if (forms.length === 1) return submitted(forms[0]?.[1] ?? '', forms[0]?.[2] ?? '', url)
  const links = [...body.text.matchAll(/<a\b([^>]*)>/gi)].flatMap(
    ([, tag = '']) => attribute(tag, 'href') ?? [],
  )
  const [href] = links
  if (forms.length > 0 || links.length !== 1 || href === undefined) return undefined
  return URL.canParse(href, url) ? { method: 'GET', url: new URL(href, url).href } : undefined
}

/** A fragment that says how many parameters of a URL were in its own query; the others are posted. */
const posted = /^#form_post\.(\d+)$/

/**
 * An answer of the provider that a page posts by itself (OAuth 2.0 Form Post Response Mode), as the redirect that it
 * takes the place of, so that it can be read and tampered with like any other; {@link posting} undoes that.
 */
export function postedAnswer({ body }: HttpResponse, page: string): string | undefined {
  const [, tag = '', content = ''] = /<form\b([^>]*)>(.*?)<\/form>/is.exec(body.text) ?? []
  const form = submitted(tag, content, page)
  if (!form?.body) return undefined
  const own = new URL(form.url).search.slice(1)
  const count = own === '' ? 0 : own.split('&').length
  return `${form.url}${own === '' ? '?' : '&'}${form.body}#form_post.${count}`
}

/** The form of which {@link postedAnswer} made this URL; `undefined` for any other. */
export function posting(url: string): Navigation | undefined {
  const { origin, pathname, search, hash } = new URL(url)
  const count = posted.exec(hash)?.[1]
  if (count === undefined) return undefined
  const parameters = search.slice(1).split('&')
  const own = parameters.slice(0, Number(count))
  const body = parameters.slice(Number(count)).join('&')
  return {
    method: 'POST',
    url: `${origin}${pathname}${own.length > 0 ? `?${own.join('&')}` : ''}`,
    body,
  }
}

/** A form with its hidden fields and its first button. */
function submitted(tag: string, content: string, page: string): Navigation | undefined {
  const action = attribute(tag, 'action') ?? page
  if (!URL.canParse(action, page)) return undefined
  const url = new URL(action, page)
  const fields = new URLSearchParams()
  for (const [, field = ''] of content.matchAll(/<(?:input|button)\b([^>]*)>/gi)) {
    const name = attribute(field, 'name')
    if (name !== undefined && name !== '') fields.append(name, attribute(field, 'value') ?? '')
  }
  if (attribute(tag, 'method')?.toLowerCase() === 'post') {
    return { method: 'POST', url: url.href, body: fields.toString() }
  }
  url.search = fields.toString()
  return { method: 'GET', url: url.href }
}
