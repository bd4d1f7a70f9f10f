/** Where a page leads somebody who wants to go on. */

import type { HttpResponse } from '../http.ts'
import { elementsOf, type Element } from './markup.ts'
import { confirms, leadsAway, leadsOnwards } from './page-words.ts'

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
 * Where a page leads: by itself (`refresh`), by its only form, filled in as it came, by its only link, or its only one to the
 * provider, or by the only URL that a script goes to. Of several forms or links it is the only one that does not say that it
 * leads away, or the only one that says that it leads onwards. A page that one has come back to with an answer of
 * the provider is the end of the way.
 */
export function onwards(
  answer: HttpResponse,
  url: string,
  isProvider: (url: string) => boolean,
): Navigation | undefined {
  const { searchParams } = new URL(url)
  if (searchParams.has('code') || searchParams.has('error')) return undefined
  const page = pageOf(answer, url)
  const { elements } = page
  const refresh = refreshOf(answer, page)
  if (refresh) return goingTo([refresh.to], page)
  const forms = elements.filter(({ name }) => name === 'form')
  const faceOf = (each: Element): Element => buttonAmong(controlsOf(each, page)) ?? each
  const possible = forms.filter((each) => !leadsAway(faceOf(each)))
  const form =
    only(forms) ?? only(possible) ?? only(possible.filter((each) => leadsOnwards(faceOf(each))))
  if (form) return submitted(form, page)
  const links = elements.filter(
    ({ name, attribute }) => /^a(?:rea)?$/.test(name) && attribute('href'),
  )
  const scripted = elements.flatMap(scriptedUrls)
  const toProvider = [...hrefsOf(links), ...scripted].filter(
    (each) => URL.canParse(each) && isProvider(each),
  )
  return (
    (forms.length > 0 ? undefined : goingTo(hrefsOf(links), page)) ??
    goingTo(toProvider, page) ??
    goingTo(scripted, page) ??
    (forms.length > 0 ? undefined : goingBy(links, page))
  )
}

/**
 * Where a page that one has come back to with an answer finishes by itself (RFC 6749 §3.1.2.5): by its refresh or its only
 * form, if that takes the code or the state along. An error is taken along as well: with the state alone one may try again.
 * With a code a page of the client that refreshes at once is no more than a redirect, whatever it takes along.
 */
export function finishing(answer: HttpResponse, url: string): Navigation | undefined {
  const { searchParams } = new URL(url)
  const isError = searchParams.has('error')
  if (!searchParams.has('code') && !isError) return undefined
  const page = pageOf(answer, url)
  const refresh = refreshOf(answer, page)
  const form = only(page.elements.filter(({ name }) => name === 'form'))
  const next = refresh ? goingTo([refresh.to], page) : form && submitted(form, page)
  if (next === undefined || (next.method === 'GET' && next.url === url)) return undefined
  if (refresh && refresh.seconds === 0 && !isError && isOfSameOrigin(next.url, url)) return next
  const names = isError ? ['error'] : ['code', 'state']
  const brought = names.flatMap((name) => searchParams.get(name) || [])
  const taken = [...new URL(next.url).searchParams, ...new URLSearchParams(next.body)]
  return taken.some(([, value]) => brought.includes(value)) ? next : undefined
}

/** Where a page that one has come back to with a code asks whether it is as it should be: by its only form, which is posted. */
export function confirming(answer: HttpResponse, url: string): Navigation | undefined {
  const { searchParams } = new URL(url)
  if (!searchParams.has('code') || searchParams.has('error')) return undefined
  const page = pageOf(answer, url)
  const form = only(page.elements.filter(({ name }) => name === 'form'))
  const button = form && buttonAmong(controlsOf(form, page))
  if (!button || !confirms(button)) return undefined
  const next = submitted(form, page)
  return next?.method === 'POST' ? next : undefined
}

/** A page as a browser has it. */
interface Page {
  readonly url: string
  /** What its URLs are relative to (HTML, section 2.4.3 "Document base URLs"). */
  readonly base: string
  readonly elements: readonly Element[]
}

/** Without elements where it is no page that is shown to somebody who may go on. */
function pageOf({ status, headers, body }: HttpResponse, url: string): Page {
  const type = headers['content-type'] ?? ''
  const isPage = status === 200 && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
  return pageAt(url, isPage ? elementsOf(body.text) : [])
}

function pageAt(url: string, elements: readonly Element[]): Page {
  const base = elements.find(({ name, attribute }) => name === 'base' && attribute('href'))
  const href = base?.attribute('href') ?? ''
  return { url, base: URL.canParse(href, url) ? new URL(href, url).href : url, elements }
}

function isOfSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin
}

/** Where a page leads by itself, and after how long: by a field of the answer, or an element that stands for one. */
function refreshOf(
  { status, headers }: HttpResponse,
  { elements }: Page,
): { readonly to: string; readonly seconds: number } | undefined {
  const field = status === 200 ? headers['refresh'] : undefined
  const refresh = field ?? elements.find(isRefresh)?.attribute('content') ?? ''
  const [, after = '', to] = /^([\s\d.]*)[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i.exec(refresh) ?? []
  return to === undefined ? undefined : { to, seconds: Number(after) }
}

function only<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined
}

function hrefsOf(links: readonly Element[]): readonly string[] {
  return links.map(({ attribute }) => attribute('href') ?? '')
}

/** By what their words say. */
function goingBy(links: readonly Element[], page: Page): Navigation | undefined {
  const possible = links.filter((each) => !leadsAway(each))
  return goingTo(hrefsOf(possible.filter(leadsOnwards)), page) ?? goingTo(hrefsOf(possible), page)
}

/** Goes there, where all of them are one. */
function goingTo(urls: readonly string[], { base }: Page): Navigation | undefined {
  const [href, ...others] = new Set(urls)
  if (href === undefined || others.length > 0 || !URL.canParse(href, base)) return undefined
  return { method: 'GET', url: new URL(href, base).href }
}

const goes =
  /\blocation(?:\.href)?\s*=\s*(["'])([^"'\s]+)\1|\b(?:location\.(?:assign|replace)|open)\(\s*(["'])([^"'\s]+)\3/g

/** The URLs to which the script of an element, or one in its attributes, makes the browser go. */
function scriptedUrls({ name, attribute, text }: Element): readonly string[] {
  const scripts = [
    name === 'script' ? text : '',
    attribute('onclick') ?? '',
    attribute('onload') ?? '',
  ]
  return scripts.flatMap((script) =>
    [...script.matchAll(goes)].map(([, , assigned, , called]) =>
      unescaped(assigned ?? called ?? ''),
    ),
  )
}

/** A string of a script as text. Those that quote a URL for a script escape slashes and what would be markup. */
function unescaped(text: string): string {
  return text
    .replaceAll(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll('\\/', '/')
}

function isRefresh({ name, attribute }: Element): boolean {
  return name === 'meta' && attribute('http-equiv')?.toLowerCase() === 'refresh'
}

/** A fragment that says how many parameters of a URL were in its own query; the others are posted. */
const posted = /^#form_post\.(\d+)$/

/**
 * An answer of the provider that a page posts by itself (OAuth 2.0 Form Post Response Mode), as the redirect that it
 * takes the place of, so that it can be read and tampered with like any other; {@link posting} undoes that.
 */
export function postedAnswer({ body }: HttpResponse, url: string): string | undefined {
  const page = pageAt(url, elementsOf(body.text))
  const element = page.elements.find(({ name }) => name === 'form')
  const form = element && submitted(element, page)
  if (!form?.body) return undefined
  return postedTo(form.url, form.body)
}

function postedTo(url: string, body: string): string {
  const place = new URL(url)
  place.hash = ''
  const own = place.search.slice(1)
  const count = own === '' ? 0 : own.split('&').length
  return `${place.href}${own === '' ? '?' : '&'}${body}#form_post.${count}`
}

/** How a browser goes on where its request is redirected: 307 and 308 keep method and body (RFC 9110 §15.4.8, §15.4.9). */
export function redirected(sent: Navigation, status: number, url: string): Navigation {
  if (status !== 307 && status !== 308) return { method: 'GET', url }
  const form = posting(sent.url)
  return form?.body === undefined
    ? { ...sent, url }
    : { method: 'GET', url: postedTo(url, form.body) }
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

/**
 * A form as it came, by its first button that does not lead away (HTML, sections 4.10.21.3 "Form submission algorithm" and
 * 4.10.21.4).
 */
function submitted(form: Element, page: Page): Navigation | undefined {
  const controls = controlsOf(form, page)
  const button = buttonAmong(controls)
  const of = (name: string) => button?.attribute(`form${name}`) ?? form.attribute(name)
  const action = of('action') || page.url
  if (!URL.canParse(action, page.base)) return undefined
  const url = new URL(action, page.base)
  const fields = new URLSearchParams()
  for (const control of controls) {
    const name = control.attribute('name') ?? ''
    if (name === '' || !(control === button || isFilled(control))) continue
    fields.append(name, valueOf(control))
  }
  if (of('method')?.toLowerCase() === 'post') {
    return { method: 'POST', url: url.href, body: fields.toString() }
  }
  url.search = fields.toString()
  return { method: 'GET', url: url.href }
}

/** Those in it, and those that name it wherever they stand (HTML, section 4.10.18.3 "Association of controls and forms"). */
function controlsOf(form: Element, { elements }: Page): readonly Element[] {
  const id = form.attribute('id')
  const own = form.elements.filter(({ attribute }) => attribute('form') === undefined)
  const named = id ? elements.filter(({ attribute }) => attribute('form') === id) : []
  return [...own, ...named].filter(({ attribute }) => attribute('disabled') === undefined)
}

function buttonAmong(controls: readonly Element[]): Element | undefined {
  const buttons = controls.filter(isButton)
  return buttons.find((each) => !leadsAway(each)) ?? buttons[0]
}

function isButton({ name, attribute }: Element): boolean {
  const type = attribute('type')?.toLowerCase()
  if (name === 'button') return type !== 'button' && type !== 'reset'
  return name === 'input' && type === 'submit'
}

/** Whether it is sent without being pressed; a box without which a browser sends nothing is ticked. */
function isFilled({ name, attribute }: Element): boolean {
  if (name !== 'input') return name === 'textarea' || name === 'select'
  const type = attribute('type')?.toLowerCase() ?? ''
  if (type === 'checkbox' && attribute('required') !== undefined) return true
  if (type === 'checkbox' || type === 'radio') return attribute('checked') !== undefined
  return !['submit', 'button', 'reset', 'image', 'file'].includes(type)
}

function valueOf({ name, attribute, text, elements }: Element): string {
  if (name === 'textarea') return text
  if (name === 'select') return chosenIn(elements.filter((each) => each.name === 'option'))
  const isBox = /^(?:checkbox|radio)$/i.test(attribute('type') ?? '')
  return attribute('value') ?? (isBox ? 'on' : '')
}

/** The option that a browser shows (HTML, section 4.10.7 "The select element"). */
function chosenIn(options: readonly Element[]): string {
  const chosen = options.findLast(({ attribute }) => attribute('selected') !== undefined)
  const shown = chosen ?? options.find(({ attribute }) => attribute('disabled') === undefined)
  return shown?.attribute('value') ?? shown?.text.trim() ?? ''
}
