/** Elements of a page as a browser builds them (HTML, section 13.2 "Parsing HTML documents"): no script is run. */

import { createRequire } from 'node:module'
import type { DefaultTreeAdapterTypes } from 'parse5'

/** Loaded with the first page: it is a tenth of all code that a program starts with, and most need it late or never. */
const require = createRequire(import.meta.url)

/** Characters of a page that are read: nesting without end costs the square of its length. */
const pageLimit = 256 * 1024

/** An element of a page. */
export interface Element {
  /** In lower case. */
  readonly name: string
  /** The value of an attribute, named in lower case. */
  readonly attribute: (name: string) => string | undefined
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
  /** The text directly in it. */
  readonly text: string
  /** Every element in it, in the order in which they begin. */
  readonly elements: readonly Element[]
}

/** Every element of a page, in the order in which they begin; templates hold none. */
export function elementsOf(html: string): readonly Element[] {
  const { parse } = require('parse5') as typeof import('parse5')
  return elementsIn(parse(html.slice(0, pageLimit)))
}

function elementsIn(parent: DefaultTreeAdapterTypes.ParentNode): readonly Element[] {
  const found: Element[] = []
  // No recursion: a page may be nested deeper than the stack.
  const next = parent.childNodes.toReversed()
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    if (!('tagName' in node)) continue
    found.push(elementOf(node))
    for (const child of node.childNodes.toReversed()) next.push(child)
  }
  return found
}

function elementOf(node: DefaultTreeAdapterTypes.Element): Element {
  return {
    name: node.tagName.toLowerCase(),
    attribute: (wanted) => node.attrs.find(({ name }) => name.toLowerCase() === wanted)?.value,
    attributes: node.attrs,
    get text() {
      return node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
    },
    get elements() {
      return elementsIn(node)
    },
  }
}
