/** Lets only ordinary web addresses become links: a record may come from anybody. */

/** The address as URLs are written; `undefined` for anything but http and https. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
