/** A text that only a comparison without regard to case takes for the given one. */

/** Small letters of ASCII for capital ones, and the other way round; everything else stays as it is. */
export function otherCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
