/** What the calls of one turn of a model share: their thread, the threads that it comes from, and a callback URL. */

import type { Recorder, Run } from '../../../harness/engine/index.ts'
import type { CallbackReceiver } from '../../../harness/parties/index.ts'
import { fieldsOf } from './view.ts'

/** A callback URL "MAY be scoped to [...] a conversation thread" (RAP Transport, Callback URL): ids tell its calls apart. */
export class Turn {
  readonly groupId: string
  readonly ancestors: readonly string[]
  readonly #names = new Map<unknown, string>()
  #url: string | undefined

  constructor({ newName }: Pick<Run, 'newName'>) {
    this.ancestors = [newName('thread'), newName('thread')]
    this.groupId = newName('thread')
  }

  /** The callback URL for a call with this id; none for one that is made once more, which gets a URL of its own. */
  join(
    name: string,
    id: string,
    recorder: Recorder,
    receiver: CallbackReceiver,
  ): string | undefined {
    if ([...this.#names.values()].includes(name)) return undefined
    this.#names.set(id, name)
    this.#url ??= receiver.open({
      recorder,
      call: name,
      callOf: (body) => this.#names.get(fieldsOf(body)?.['id']),
    }).url
    return this.#url
  }
}
