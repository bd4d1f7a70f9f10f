/** The package that only those install who want the provider alone, as `npm run build:provider` makes it. */

/** Where a file of that package is. */
export function packaged(file: string): URL {
  return new URL(`../../../dist-provider/${file}`, import.meta.url)
}
