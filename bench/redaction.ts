/** What looking for secrets costs, from 10 kB to 1 MB: milliseconds of processor for each kilobyte should stay the same. */
import { SecretLedger } from '../harness/engine/index.ts'

const kilobyte = 1000
const sizes = [10, 100, 1000]
const secrets = 200

/** Texts as implementations send and print them, and some that would make a careless expression quadratic. */
const texts: Readonly<Record<string, string>> = {
  'a log in JSON': '{"level":"info","at":"2026-01-01T00:00:00Z","msg":"items listed","count":3}\n',
  HTML: '<li class="item"><a href="/items/1?x=%20y">An item &amp; more</a></li>\n',
  newlines: '\n',
  'escaped newlines': '\\n',
  'base64 without an end': 'QUJDREVG',
  'digits with colons': '61:',
  'half escapes': '\\u004',
}

const ledger = new SecretLedger()
for (let index = 0; index < secrets; index += 1) {
  ledger.add('access_token', `at_Zx81kQpLm27V${index}bT94sRwEuY3hNcD6gJf0`)
}

process.stdout.write(`milliseconds of processor per kB, ${secrets} secrets\n`)
process.stdout.write(
  `${'text'.padEnd(24)}${sizes.map((size) => `${size} kB`.padStart(10)).join('')}\n`,
)
for (const [name, piece] of Object.entries(texts)) {
  const costs = sizes.map((size) => costOf(piece, size * kilobyte) / size)
  const shown = costs.map((cost) => cost.toFixed(3).padStart(10)).join('')
  process.stdout.write(`${name.padEnd(24)}${shown}\n`)
}

/** The median of five, in milliseconds; the short ones are done often enough to be measured. */
function costOf(piece: string, length: number): number {
  const times = Math.max(1, Math.ceil((100 * kilobyte) / length))
  // A text that was scanned already is not scanned again.
  const made = Array.from({ length: 5 * times }, (_, index) =>
    `${index}:${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length),
  )
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (const text of made.splice(0, times)) ledger.redact(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / times
  })
  return costs.toSorted((a, b) => a - b)[2]!
}
