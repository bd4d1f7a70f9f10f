/** How long many waiters need for a long recording: every event concerns one of them. */
import { Recorder, SecretLedger, type NewEvent } from '../harness/engine/index.ts'

const waiters = 20

for (const events of [1000, 2000, 4000]) {
  const { looks, milliseconds } = await record(events)
  const figures = `${looks} looks, ${Math.round(milliseconds)} ms`
  process.stdout.write(`${events} events, ${waiters} waiters: ${figures}\n`)
}

async function record(events: number): Promise<{ looks: number; milliseconds: number }> {
  const recorder = new Recorder({ scenario: 'bench', ledger: new SecretLedger(), now: () => 0 })
  const calls = Array.from({ length: waiters }, (_, index) => `call-${index + 1}`)
  let looks = 0
  const waiting = calls.map((call) =>
    recorder.waitFor((t) => {
      looks += 1
      // As much as a scenario asks of a call whose result it waits for.
      const messages = t.requests('callback', call)
      const known = [
        t.steps('invoke', call),
        t.requests('provider', call),
        t.provider('grant', call),
      ]
      return messages.find(({ method }) => method === 'LAST') ?? known.find(() => false)
    }, 600_000),
  )
  const began = performance.now()
  for (let event = 1; event <= events - waiters; event += 1) {
    recorder.record(message(recorder, calls[event % waiters]!, 'POST'))
  }
  for (const call of calls) recorder.record(message(recorder, call, 'LAST'))
  await Promise.all(waiting)
  return { looks, milliseconds: performance.now() - began }
}

function message(recorder: Recorder, call: string, method: string): NewEvent {
  return {
    type: 'request',
    channel: 'callback',
    exchange: recorder.newExchange(),
    call,
    method,
    url: 'http://127.0.0.1/callback',
    headers: { 'content-type': 'application/json' },
    body: { text: '{"type":"oauth"}', bytes: 16 },
  }
}
