/** Keeps what the Responses API keeps for later requests: conversations and output items. */

import { modelLimits } from './limits.ts'
import type { ModelMessage, ModelToolCall } from './model-request.ts'

/** What an `item_reference` can stand for. */
export type StoredItem =
  | { readonly id: string; readonly text: string }
  | { readonly id: string; readonly call: ModelToolCall }

export interface StoredResponse {
  readonly id: string
  /** The whole conversation, the answer included. */
  readonly messages: readonly ModelMessage[]
  /** Its output items. */
  readonly items: readonly StoredItem[]
  readonly bytes: number
}

/** Bounded: the oldest responses are forgotten first, see {@link modelLimits}. */
export class StoredResponses {
  readonly #responses = new Map<string, StoredResponse>()
  readonly #items = new Map<string, StoredItem>()
  #bytes = 0

  keep(response: StoredResponse): void {
    this.#responses.set(response.id, response)
    for (const item of response.items) this.#items.set(item.id, item)
    this.#bytes += response.bytes
    for (const oldest of this.#responses.values()) {
      const { storedResponses, storedBytes } = modelLimits
      if (this.#responses.size <= storedResponses && this.#bytes <= storedBytes) break
      this.#forget(oldest)
    }
  }

  #forget(response: StoredResponse): void {
    this.#responses.delete(response.id)
    for (const item of response.items) this.#items.delete(item.id)
    this.#bytes -= response.bytes
  }

  response(id: string): StoredResponse | undefined {
    return this.#responses.get(id)
  }

  item(id: string): StoredItem | undefined {
    return this.#items.get(id)
  }

  get size(): number {
    return this.#responses.size
  }
}
