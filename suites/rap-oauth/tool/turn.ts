/** What the calls of one turn of a model share: their thread, the threads that it comes from, and a callback URL. */

import type { Run } from '../../../harness/engine/index.ts'
import type { Mailbox, MailboxOptions } from '../../../harness/parties/callback-receiver.ts'
import { fieldsOf } from './view.ts'

type CallOf = MailboxOptions['callOf']

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
  join(name: string, id: string, open: (callOf: CallOf) => Mailbox): string | undefined {
    if ([...this.#names.values()].includes(name)) return undefined
    this.#names.set(id, name)
    this.#url ??= open((body) => this.#names.get(fieldsOf(body)?.['id'])).url
    return this.#url
  }
}
