/** What a server may send in place of the URL of a web page, and nobody is to open. */

import { aScriptAroundAPage } from '../../host/around-a-web-page.ts'

/** Kind, what it is, and how it is written; of some kinds there are several. */
export const unsafeUrls: readonly (readonly [kind: string, what: string, ...urls: string[]])[] = [
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
  [
    'programs',
    'for a program that many users have',
    'mailto:billing@collect.example?subject=anything',
    'tel:+15550100',
    'vscode://of-nobody.extension/run?what=anything',
    'ms-msdt:/id PCWDiagnostic /skip force',
    'search-ms:query=invoice&crumb=location:%5C%5Ccollect.example%5Cshare',
    'intent://run#Intent;scheme=of-nobody;end',
  ],
  [
    'around-a-web-page',
    'none of a web page, with one in it',
    aScriptAroundAPage,
    // What parses a URL takes ends of lines and tabs out of it (URL Standard, basic URL parser).
    'javascript:alert(document.domain)//\nhttps://warehouse.example/connect',
    'view-source:https://warehouse.example/connect',
    'blob:https://warehouse.example/0f1e2d3c',
  ],
  [
    'blanks',
    'a script, with blanks before or in its scheme',
    ' javascript:alert(document.domain)//',
    '\tjavascript:alert(document.domain)//',
    'java\tscript:alert(document.domain)//',
  ],
  ['junk', 'no URL at all', 'connect your account'],
]

/** One that no client may take for anything else. */
export const aScript = 'javascript:alert(document.domain)//%0A'
