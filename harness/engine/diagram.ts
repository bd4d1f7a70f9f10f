/** Who speaks to whom: the channels of a profile and the lanes of its diagrams, as data that a run record carries. */

import { servedPath } from './judging/recorded.ts'
import { z } from 'zod'

/** A channel whose requests go elsewhere below some paths. */
const route = z.strictObject({
  /** Prefix of the URL's path, whole segments. */
  path: z.string(),
  from: z.string().exactOptional(),
  to: z.string().exactOptional(),
})

const channel = z.strictObject({
  /** The lane that sends the requests of this channel, and the one that answers. */
  from: z.string(),
  to: z.string(),
  /** Whether the harness sends them, so that one can be repeated by hand. */
  stimulus: z.literal(true).exactOptional(),
  routes: z.array(route).readonly().exactOptional(),
})

/** The stored form of a {@link Diagram}. */
export const diagramSchema = z.strictObject({
  /** From left to right. */
  lanes: z.array(z.string()).readonly(),
  /** The lane of what is certified. */
  implementation: z.string(),
  /** The lane of the person to whom the implementation shows things. */
  user: z.string(),
  /** Steps that only announce or repeat what the messages beside them show. */
  announcements: z.array(z.string()).readonly(),
  /** By the name of a channel; what stimulates first is the stimulus of a call. */
  channels: z.record(z.string(), channel),
})

/** One channel: who sends its requests, and who answers them. */
export type DiagramChannel = Readonly<z.infer<typeof channel>>
/** Lanes and channels of a profile's sequence diagrams. */
export type Diagram = Readonly<z.infer<typeof diagramSchema>>

/** Sender and receiver of a request on a channel; its answer goes the other way. */
export function endsOf(
  { channels, implementation }: Diagram,
  {
    channel,
    ...asked
  }: { readonly channel: string; readonly url: string; readonly servedAt?: string | undefined },
): readonly [string, string] {
  const known = Object.hasOwn(channels, channel) ? channels[channel] : undefined
  if (!known) return ['harness', implementation]
  const path = servedPath(asked) || asked.url
  const route = known.routes?.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  return [route?.from ?? known.from, route?.to ?? known.to]
}

/** The channels on which the harness acts, the first first. */
export function stimuliOf({ channels }: Diagram): string[] {
  return Object.entries(channels).flatMap(([name, { stimulus }]) => (stimulus ? [name] : []))
}
