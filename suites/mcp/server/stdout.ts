/** What a server over stdio writes to its standard output. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Check,
  type RecordedEvent,
} from '../../../harness/engine/index.ts'
import { isMessage } from '../wire/json-rpc.ts'
import { streamChannel } from '../wire/link.ts'

/** Whether it is a line of standard output. */
function isWritten(event: RecordedEvent): boolean {
  return event.type === 'request' && event.channel === streamChannel && event.method === 'STDOUT'
}

/** That nothing but messages is written there (MCP Transports, stdio). */
export const onlyMessages: Check['judge'] = (t) => {
  // A line that was cut is not known to be none.
  const lines = t
    .requests(streamChannel)
    .filter((event) => isWritten(event) && event.body?.truncated !== true)
  const [first] = lines
  if (!first) return inconclusive('nothing was written')
  const noise = lines.find(({ body }) => !isMessage(body?.text ?? ''))
  if (noise) {
    return violation(
      'something was written to standard output that is not an MCP message',
      { expected: 'messages alone', actual: show(noise.body?.text.slice(0, 300)) },
      cite(noise),
    )
  }
  return pass(`${lines.length} lines, each a message`, cite(first))
}
