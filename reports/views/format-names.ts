/** What every view of a run is called and which file it is written to; light enough for `--help`. */

export interface FormatName {
  /** Name of its file in the folder of a run. */
  readonly file: string
  readonly describes: string
}

/** The file that a format is written to, and what it is for. */
export const formatNames = {
  html: { file: 'report.html', describes: 'everything, for people: one file that loads nothing' },
  markdown: { file: 'summary.md', describes: 'in short, for a pull request or a job summary' },
  junit: { file: 'junit.xml', describes: 'for test dashboards' },
  sarif: { file: 'results.sarif', describes: 'SARIF 2.1.0, for code scanning' },
  tap: { file: 'results.tap', describes: 'TAP version 14' },
  github: { file: 'annotations.txt', describes: 'workflow commands of GitHub Actions' },
  badge: { file: 'badge.svg', describes: 'the verdict as an image' },
  shields: { file: 'badge.json', describes: 'for the endpoint badge of shields.io' },
} as const satisfies Readonly<Record<string, FormatName>>

/** The id of a format. */
export type FormatId = keyof typeof formatNames

/** Every format that a report can have. */
export const formatIds = Object.keys(formatNames) as FormatId[]
