/** Looks at an HTTP endpoint again and again, and reports what is new there. */

import { HttpFailure, type Transport } from '../http.ts'
import { rest, type Watch } from './surface.ts'

/** Milliseconds between two looks where something was new, and at most; each time nothing is, it is so much longer. */
const pauses = { least: 50, most: 250, growth: 1.1 }

/** Polls until the watch ends; a list that grows is reported by its new items, anything else as a whole. */
export async function watchPolled(watch: Watch, transport: Transport): Promise<void> {
  const { url, headers, signal, source, conversation, onText } = watch
  /** How often each text was there at once. */
  const seen = new Map<string, number>()
  let pause = pauses.least
  while (!signal.aborted) {
    pause = Math.min(pause * pauses.growth, pauses.most)
    try {
      const answer = await transport({ method: 'GET', url, headers, within: 2000, signal })
      watch.onState?.(answer.status < 300 ? undefined : `HTTP ${answer.status}`)
      if (answer.status < 300) {
        const now = new Map<string, number>()
        const items = listIn(answer.body.text)
        const whole = items ? {} : ({ whole: true } as const)
        for (const text of items ?? [answer.body.text]) {
          const times = (now.get(text) ?? 0) + 1
          now.set(text, times)
          if (times <= (seen.get(text) ?? 0)) continue
          seen.set(text, times)
          pause = pauses.least
          onText({ source, conversation, text, ...whole })
        }
      }
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
    }
    await rest(signal, pause)
  }
}

/** The items of a JSON array, or of the only array of a JSON object; nothing where the text is none. */
function listIn(text: string): string[] | undefined {
  if (text === '') return []
  try {
    const value = JSON.parse(text) as unknown
    if (Array.isArray(value)) return value.map((item) => JSON.stringify(item))
    if (typeof value === 'object' && value !== null) {
      const lists = Object.values(value).filter((member) => Array.isArray(member))
      const [only] = lists
      if (only && lists.length === 1) return only.map((item: unknown) => JSON.stringify(item))
    }
  } catch {
    // No JSON: shown as it is.
  }
  return undefined
}
