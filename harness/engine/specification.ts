/** Which document a profile stands on, and where the sections that its requirements cite are on the web. */

/** The document that the requirements of a profile are taken from. */
export interface Specification {
  readonly title: string
  /** Revision, date or commit: which text it is. */
  readonly revision: string
  /** Address of the whole. */
  readonly published: string
  /** By the name that sources cite it under. */
  readonly pages: Readonly<Record<string, SpecificationPage>>
}

/** A page of the document: its address, and the headings that it has. */
export interface SpecificationPage {
  readonly url: string
  readonly headings: readonly string[]
}

/** One section of a document: how it is cited, and where it stands. */
export interface SectionLink {
  readonly text: string
  readonly url: string
}

const rfc = /^RFC (\d+)\b\s*(?:§([\d.]+))?/

/**
 * Links for a source such as `RAP OAuth, Error Handling; RFC 6749 §4.1.2.1`: one for each part, `;` between them.
 * The anchor of a section is its heading in lower case with hyphens, as GitHub makes it of Markdown. A part that cites
 * what the document does not have gets none.
 */
export function linksOf(source: string, { pages }: Specification): SectionLink[] {
  return source.split(/;\s*/).flatMap((text) => {
    const [, number, section] = rfc.exec(text) ?? []
    if (number) {
      const anchor = section ? `#section-${section.replace(/\.$/, '')}` : ''
      return [{ text, url: `https://www.rfc-editor.org/rfc/rfc${number}${anchor}` }]
    }
    const [name = '', heading] = text.split(/,\s*/)
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined
    if (!page) return []
    if (heading === undefined) return [{ text, url: page.url }]
    // A heading that the page does not have is cited wrongly: there is no such place.
    return page.headings.includes(heading) ? [{ text, url: `${page.url}#${slug(heading)}` }] : []
  })
}

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')
}
