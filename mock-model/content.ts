/** Reads the content of a message: a string, or a list of parts of which some are text. */

import { z } from 'zod'

/** A part of any kind; kinds other than text and images are ignored. */
const part = z.object({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
})

/** `string`, list of parts, `null` or absent. */
export const contentSchema = z.union([z.string(), z.array(part)]).nullish()

export type Content = z.infer<typeof contentSchema>

/** The text of all parts, joined by a line feed. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return (content ?? []).flatMap(({ text, refusal }) => text ?? refusal ?? []).join('\n')
}

/** `image`, `image_url`, `input_image`: each API names them differently. */
export function imagesIn(content: Content): number {
  if (typeof content === 'string') return 0
  return (content ?? []).filter(({ type }) => type.includes('image')).length
}
