/** Links of the repository's pages, turned into links of the site. */

import { posix } from 'node:path'

/** What the links of a page lead to, all as paths from the root of the repository. */
export interface Places {
  readonly pages: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** Takes a file that is no page, and gives the URL under which the site has it. */
  readonly file: (path: string) => string
}

/** Where a page stands in the site: a README is what its folder shows. */
export function pageOf(path: string): string {
  return path.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** The text with its links as the site needs them; code is left as it is. */
export function withSiteLinks(page: string, text: string, places: Places): string {
  const parts = text.split(/(^```[^]*?^```$|`[^`\n]*`)/m)
  return parts
    .map((part, index) => (index % 2 === 1 ? part : relink(page, part, places)))
    .join('')
}

function relink(page: string, text: string, places: Places): string {
  return text.replaceAll(/(\]\()([^)\s]+)(\))/g, (whole, open: string, link: string, close: string) => {
    if (/^[a-z]+:|^#/.test(link)) return whole
    const [path = '', anchor] = link.split('#')
    const target = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '')
    const tail = anchor === undefined ? '' : `#${anchor}`
    return `${open}${urlOf(target, places)}${tail}${close}`
  })
}

function urlOf(target: string, { pages, folders, file }: Places): string {
  if (pages.has(target)) return `/${pageOf(target)}`
  const index = target === '.' ? 'README.md' : `${target}/README.md`
  if (pages.has(index)) return `/${pageOf(index)}`
  return folders.has(target) ? `/${target}/index.md` : file(target)
}
