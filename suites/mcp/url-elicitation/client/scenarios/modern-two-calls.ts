/** Two calls of one server wait for their user together, each with a state of its own (2026-07-28). */

import { asNotOffered } from '../../../../../harness/engine/index.ts'
import { atOnce } from '../../../client/beside.ts'
import { check, type Judge } from '../checks.ts'
import { needsModern } from '../conditions.ts'
import { scenario } from './define.ts'
import { echoes, onRetry, repeats } from './modern.ts'

/** Judges the retry of each call, and says what is wrong with either. */
const onEach = (...[judge]: Parameters<typeof onRetry>): Judge => {
  const judges = ['call-1', 'call-2'].map((name) => onRetry(judge, { name }))
  return (t, context) => {
    const [first, second] = judges.map((each) => each(t, context))
    return first!.outcome === 'pass' || second!.outcome === 'violation' ? second! : first!
  }
}

export const modernTwoCalls = scenario({
  id: 'modern-two-calls',
  title: 'without a handshake: two calls ask for input, and their user agrees to both',
  control: 'modern',
  needs: atOnce,
  notApplicable: needsModern,
  async drive({ open }) {
    const client = await open({ modern: true })
    const first = await client.begin()
    await first.ask()
    await first.prompted()
    const second = await client.askBeside(0)
    const calls = [first, second]
    for (const call of calls) await call.agreeIfAsked()
    // A server must not assume that a call is made again (MRTR, Server Requirements).
    for (const call of calls) await call.replied().catch(asNotOffered)
    for (const call of calls) await call.finish()
  },
  checks: [
    check(
      'mcp-url-elicitation/client/echo-state',
      'echoes to each call the state of that call',
      onEach(echoes),
    ),
    check(
      'mcp-url-elicitation/client/repeat-request',
      'makes each call again as it was',
      onEach(repeats),
    ),
  ],
})
