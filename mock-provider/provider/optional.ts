/** Parts that need a package which whoever installs the provider may have left out. */

/** A part was asked for whose package is not installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage'

  /** The sentence names the command that adds it. */
  constructor(needed: string, what: string) {
    super(`${what} needs a package that is not installed: npm install ${needed}`)
  }
}

/**
 * Loads such a part.
 * @param load - imports it
 * @param needed - the package
 * @param what - what needs it, as a sentence begins
 * @throws MissingPackage where the package is not installed
 */
export async function optional<Part>(
  load: () => Promise<Part>,
  needed: string,
  what: string,
): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (isMissing(error, needed)) throw new MissingPackage(needed, what)
    throw error
  }
}

/** The package itself, not something that it does not find. */
function isMissing(error: unknown, needed: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`'${needed}'`)
}
