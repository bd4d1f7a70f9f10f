/** Elements of a page, as far as its text shows them: no script is run. */

import { decodeHTML } from 'entities'

/** An element by its start tag. */
export interface Element {
  readonly name: string
  /** The value of an attribute, without its character references; the first one counts. */
  readonly attribute: (name: string) => string | undefined
}

/** What a browser does not take for elements of the page: comments, and what stands in these. */
const inert =
  /<!--[^]*?(?:-->|$)|(?<=<(script|template|textarea|title)\b[^<>]{0,2000}>)[^]*?(?:<\/\1|$)/gi

const startTag = /<([a-z][a-z0-9-]*)\b((?:[^<>"']|"[^"]*"|'[^']*'){0,4000})>/gi

const attributes = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/** Every element of a page, in the order in which they begin. */
export function elementsOf(html: string): Element[] {
  return [...html.replace(inert, ' ').matchAll(startTag)].map(([, name = '', tag = '']) => ({
    name: name.toLowerCase(),
    attribute: (wanted) => attribute(tag, wanted),
  }))
}

/** The text of every style element. */
export function stylesOf(html: string): string[] {
  const found = html.replace(inert, ' ').matchAll(/<style\b[^<>]{0,2000}>([^]*?)(?:<\/style|$)/gi)
  return [...found].map(([, css = '']) => css)
}

/** The value of an attribute in the text of a tag, quoted or not, without its character references. */
export function attribute(tag: string, wanted: string): string | undefined {
  for (const [, name, double, single, bare] of tag.matchAll(attributes)) {
    if (name?.toLowerCase() === wanted) return decodeHTML(double ?? single ?? bare ?? '')
  }
  return undefined
}
