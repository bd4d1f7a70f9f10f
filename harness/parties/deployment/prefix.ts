/** How what a provider mints is named. */

/** Ids of the first provider stay as they are; those of others carry its name. */
export function prefixOf(name: string): string {
  return name === 'shared' ? '' : `${name}:`
}
