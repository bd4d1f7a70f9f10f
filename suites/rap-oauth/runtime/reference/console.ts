/** One conversation on standard input and output. */

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import type { ShownEvent } from './events.ts'
import type { RapRuntime } from './rap-runtime.ts'

const conversation = 'console'

/** Every line is a message; what the user is shown is handed to `print`, line by line. */
export function runConsole(
  runtime: Pick<RapRuntime, 'say' | 'listen'>,
  input: Readable,
  print: (line: string) => void,
): void {
  runtime.listen(conversation, (event) => renderEvent(event).forEach(print))
  createInterface({ input }).on('line', (line) => {
    if (line.trim() !== '') runtime.say(conversation, line, conversation)
  })
}

/** The lines for one event. A link stands alone on its line, exactly as the tool sent it. */
export function renderEvent(event: ShownEvent): string[] {
  switch (event.type) {
    case 'authorization_required': {
      const ask = `The tool "${event.tool}" asks for your authorization. Open this link:`
      return event.url === undefined ? [] : [ask, event.url]
    }
    case 'tool_status':
      return [`[${event.tool}: ${event.status}]`]
    default:
      return [printable(event.text)]
  }
}

/** What a model writes must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}
