/** Lines that are no longer than a box is wide. */

const width = 40

/** A line in pieces. */
export function piecesOf(line: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += width) pieces.push(line.slice(at, at + width))
  return pieces
}
