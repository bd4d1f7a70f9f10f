import type { Fixtures } from './test-bed.ts'

/** One after the other is asked for in a call of its own, and declined once it is shown. */
export async function declineEach(
  { open, observe }: Fixtures,
  urls: readonly string[],
): Promise<void> {
  const client = await open()
  for (const url of urls) {
    const call = await client.begin({ url })
    await call.ask()
    await call.declineShown()
    call.finishOpen()
    await observe()
  }
}
