/** A body as it arrived or was sent: its text, and what was lost on the way to it. */

export interface Body {
  readonly text: string
  readonly bytes: number
  /** More was sent than is kept. */
  readonly truncated?: true | undefined
  readonly invalidUtf8?: true | undefined
}
