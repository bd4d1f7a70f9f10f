/** What the leak scanner finds and what it does not: SECURITY.md shows it, and tests prove each row. */

/** Forms in which a whole secret is found, also one inside another, four deep. */
export const detectedForms = {
  'as it is':
    'also sixteen characters or more of a random value, at its beginning, in its middle or at its end',
  'a cut JWT':
    'twenty characters beyond what the tokens of the run share, or sixteen of its signature',
  'percent-encoded': 'wholly or in part, `%41` and `%u0041`',
  'escaped with backslashes':
    '`\\u0041`, `\\u{41}`, `\\x41`, `\\101`, `\\/`, also escaped once more',
  'HTML entities': '`&#65;`, `&#x41;`, `&amp;`',
  'quoted-printable': '`=41` and soft line breaks',
  hexadecimal: 'also with blanks, colons, dots, hyphens, `0x` or commas between the bytes',
  base64: 'base64 and base64url at every alignment',
  'a list of bytes': '`[97,116]`, a Buffer or a Uint8Array as JSON, `<Buffer 61 74>`',
  'UTF-16': 'as bytes, in base64 and in hexadecimal',
  'gzip and zlib': 'a file or a part of it, and in base64 or hexadecimal; up to 16 MiB of one text',
  'in pieces':
    'over lines, quotes, commas and blanks, whatever their length, in one text or one file',
  'with invisible characters inside':
    'zero-width and bidirectional characters, combining marks, control characters, ANSI sequences',
} as const

/** Forms that are not found. */
export const undetectedForms = {
  'enciphered or mixed': 'encryption, hashes, XOR, ROT13, the reverse, every other character',
  'other alphabets': 'base32, base58, base85, UTF-7, look-alike letters',
  'other compression': 'brotli, zstd, LZ4, deflate without a header, as in ZIP',
  'a short part':
    'fifteen characters or less of a random value; any part of a value that the vendor chose',
  'spread over texts': 'pieces in several messages, files, headers or printed lines',
  'not text': 'images, audio, PDF',
  'beyond the bounds':
    'encodings in each other more than four deep; what is nested or inflated beyond the bounds is withheld, and the check is inconclusive',
  'ordinary words and addresses':
    'a value from the environment that is a word, a number, a host, a path or in the open elsewhere in the configuration',
} as const
