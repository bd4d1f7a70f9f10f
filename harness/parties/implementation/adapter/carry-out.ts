/** A command that an adapter has to carry out. */

import { Unreached } from '../../../engine/scenario.ts'
import type { Starts } from '../../../engine/starts.ts'
import {
  AdapterFailure,
  openAdapter,
  type Adapter,
  type AdapterOptions,
  type CommandToSend,
} from './adapter.ts'
import type { AdapterAnswer } from './protocol.ts'

/** Rejects with Unreached where the adapter does not know the command, with AdapterFailure where it fails. */
export async function carryOut(
  adapter: Adapter,
  command: CommandToSend,
): Promise<Extract<AdapterAnswer, { event: 'settled' }>> {
  const answer = await adapter.send(command)
  if (answer.event === 'settled') return answer
  if (answer.event === 'unsupported')
    throw new Unreached(`the adapter does not support ${command.command}`)
  throw new AdapterFailure(`failed at ${command.command}: ${answer.message}`)
}

/** Starts an adapter in its turn, tells it its settings and has it start what it adapts. @throws AdapterFailure */
export function startAdapted(
  starts: Starts,
  options: AdapterOptions,
  settings: Readonly<Record<string, string>>,
): Promise<Adapter> {
  return starts.inTurn(async () => {
    const adapter = await openAdapter(options)
    try {
      await carryOut(adapter, { command: 'configure', settings })
      await carryOut(adapter, { command: 'start' })
    } catch (error) {
      await adapter.close(0)
      throw error instanceof Unreached ? new AdapterFailure(error.message) : error
    }
    return adapter
  })
}
