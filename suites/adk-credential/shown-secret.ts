/** How secrets are shown in recordings: by their names, or in the place of a text that is withheld for them. */

/** Matches where a secret of one of these kinds was. */
export function shownSecret(kinds: readonly string[]): RegExp {
  const any = `(${kinds.join('|')})`
  return new RegExp(`\\[secret ${any}|\\[text withheld: it contains [^\\][]*${any}`)
}
