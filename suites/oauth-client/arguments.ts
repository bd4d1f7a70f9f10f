/** Arguments of a call in what the API was asked for it, however they are written there. */

import type { Recorded, RequestEvent } from '../../harness/engine/index.ts'

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Whether it would be known again: a short one could stand anywhere by chance. */
export function isTelling(value: unknown): boolean {
  return textOf(value).length >= 3
}

/** Whether a request shows an argument. */
export function carries(requests: readonly Recorded<RequestEvent>[], value: unknown): boolean {
  if (!isTelling(value)) return false
  const text = textOf(value)
  const forms = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]
  const plus = encodeURIComponent(text).replaceAll('%20', '+')
  return requests.some(({ url, body }) =>
    [...forms, plus].some((form) => url.includes(form) || (body?.text ?? '').includes(form)),
  )
}
