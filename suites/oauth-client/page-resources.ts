/** What a page makes a browser load by itself, and from where. */

import { elementsOf, type Element } from '../../harness/parties/user/markup.ts'
import { loadsOf } from './script-loads.ts'

/** Attributes whose URL is loaded without being asked for; those of a link depend on what it is for. */
const loaded: Readonly<Record<string, readonly string[]>> = {
  audio: ['src'],
  body: ['background'],
  embed: ['src'],
  feimage: ['href', 'xlink:href'],
  frame: ['src'],
  iframe: ['src'],
  image: ['href', 'xlink:href'],
  img: ['src', 'srcset'],
  input: ['src'],
  link: ['href', 'imagesrcset'],
  object: ['data'],
  script: ['src', 'href', 'xlink:href'],
  source: ['src', 'srcset'],
  track: ['src'],
  use: ['href', 'xlink:href'],
  video: ['src', 'poster'],
}

const loadedLinks =
  /(?:^|\s)(stylesheet|icon|mask-icon|apple-touch-icon(-precomposed)?|manifest|preload|modulepreload|prefetch|prerender)(?:\s|$)/i

/** Frames within frames that are looked into. */
const deepest = 2

/** Everything that a page loads by itself, as absolute URLs. */
export function resourcesOf(html: string, pageUrl: string, depth = 0): URL[] {
  const elements = elementsOf(html)
  const base = elements.find(({ name }) => name === 'base')?.attribute('href') ?? ''
  const from = URL.canParse(base, pageUrl) ? new URL(base, pageUrl).href : pageUrl
  const framed = elements.flatMap((element) => {
    const inner = element.name === 'iframe' ? element.attribute('srcdoc') : undefined
    return inner === undefined || depth === deepest ? [] : resourcesOf(inner, from, depth + 1)
  })
  const named = elements.flatMap(urlsOf)
  const urls = named.flatMap((url) => (URL.canParse(url, from) ? [new URL(url, from)] : []))
  return [...urls, ...framed]
}

/**
 * Whether a URL leads to another site than that of a page. Hosts that share their last two labels count as one site, so
 * that a vendor's own asset host never counts as foreign.
 */
export function isForeign(url: URL, pageUrl: string): boolean {
  return /^(https?|wss?|ftp):$/.test(url.protocol) && siteOf(url) !== siteOf(new URL(pageUrl))
}

function siteOf({ hostname }: URL): string {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isAddress ? hostname : hostname.replace(/\.$/, '').split('.').slice(-2).join('.')
}

function urlsOf(element: Element): string[] {
  const { name, attribute, text } = element
  const style = urlsInStyle((name === 'style' ? text : attribute('style')) ?? '')
  if (name === 'link' && !loadedLinks.test(attribute('rel') ?? '')) return style
  const values = (loaded[name] ?? []).flatMap((each) => {
    const value = attribute(each)
    if (value === undefined) return []
    // Beside each URL of a set stand sizes, which are no URL of another site.
    return each.endsWith('srcset') ? value.split(/[\s,]+/).filter(Boolean) : [value.trim()]
  })
  return [...values, ...style, ...scriptsIn(element).flatMap(loadsOf)]
}

/** The scripts of an element that are run when the page is there; what is data is none. */
function scriptsIn({ name, attribute, text }: Element): string[] {
  const own = name === 'script' && /^$|javascript|^module$/i.test(attribute('type') ?? '')
  const whenLoaded = name === 'body' ? attribute('onload') : undefined
  return [...(own ? [text] : []), ...(whenLoaded === undefined ? [] : [whenLoaded])]
}

/** URLs that a stylesheet loads; a namespace is a name only. */
function urlsInStyle(css: string): string[] {
  const read = css.replace(/\/\*[^]*?(?:\*\/|$)|@namespace[^;{}]{0,500};/gi, ' ')
  const found = [
    ...read.matchAll(/\burl\(\s{0,100}(?:"([^"]*)"|'([^']*)'|([^()"'\s]*))\s{0,100}\)/gi),
    ...read.matchAll(/@import\s+(?:"([^"]*)"|'([^']*)')/gi),
  ]
  return found.map(([, double, single, bare]) => double ?? single ?? bare ?? '')
}
