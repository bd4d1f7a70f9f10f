/** What a server may send in place of the URL of a web page, and nobody is to open. */

/** Kind, what it is, and how it is written. */
export const unsafeUrls = [
  ['javascript', 'a script', 'javascript:alert(document.domain)//%0A'],
  // RFC 3986 §3.1: schemes are the same in either case.
  ['capitals', 'a script, its scheme partly in capitals', 'JavaScript:alert(document.domain)//%0A'],
  ['file', 'a file of the user', 'file:///etc/hosts'],
  ['data', 'a page in the URL itself', 'data:text/html,<form action="https://collect.example">'],
  ['program', 'for another program of the user', 'com.example.of-nobody://run?what=anything'],
  // RFC 3986 §3.1: a scheme is all that stands before the colon.
  [
    'begins-alike',
    'for a program whose scheme begins like http',
    'https-of-nobody://run?what=anything',
  ],
  ['junk', 'no URL at all', 'connect your account'],
] as const
