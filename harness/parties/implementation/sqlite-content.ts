/**
 * What the records of an SQLite database hold, its write-ahead log included (sqlite.org/fileformat2.html). What it has
 * released, such as a deleted row whose bytes nobody has overwritten yet, is in no record.
 */

import type { DeclaredFile } from './declared-files.ts'

const magic = 'SQLite format 3\0'

/** Each database as what its records hold, without the files beside it; everything else as it is. */
export function withoutReleased(files: readonly DeclaredFile[]): readonly DeclaredFile[] {
  const databases = new Set(files.filter(isDatabase).map(({ path }) => path))
  const belongs = ({ path }: DeclaredFile): boolean =>
    databases.has(path.replace(/-(?:wal|shm|journal)$/, '')) && !databases.has(path)
  return files.flatMap((file) => {
    if (!isDatabase(file)) return belongs(file) ? [] : [file]
    const log = files.find(({ path }) => path === `${file.path}-wal`)
    try {
      return [{ ...file, content: recordsOf(file.content, log?.content) }]
    } catch {
      // Cut off, or being written at this moment: then it is read as it is.
      return log ? [file, log] : [file]
    }
  })
}

function isDatabase({ content }: DeclaredFile): boolean {
  return content.subarray(0, magic.length).toString('latin1') === magic
}

type Pages = (number: number) => Buffer

/** §1.6: the types of pages that have cells, and whether they are those of an index. */
const cellPages = new Map([
  [0x02, { isIndex: true, header: 12, skip: 4 }],
  [0x0a, { isIndex: true, header: 8, skip: 0 }],
  [0x0d, { isIndex: false, header: 8, skip: 0 }],
])

function recordsOf(file: Buffer, log: Buffer | undefined): Buffer {
  const size = file.readUInt16BE(16) === 1 ? 65_536 : file.readUInt16BE(16)
  const logged = log ? committed(log, size) : new Map<number, Buffer>()
  const pages: Pages = (number) => {
    const page = logged.get(number) ?? file.subarray((number - 1) * size, number * size)
    if (page.length < size) throw new RangeError(`no page ${number}`)
    return page
  }
  const first = pages(1)
  const usable = size - first.readUInt8(20)
  const free = freePages(pages, first.readUInt32BE(32))
  const used = first.readUInt32BE(28) || Math.floor(file.length / size)
  // §1.8: with auto-vacuum, pages of pointers stand at regular places.
  const isPointerMap = (number: number): boolean =>
    first.readUInt32BE(52) > 0 && (number - 2) % (Math.floor(usable / 5) + 1) === 0
  const records: Buffer[] = []
  for (let number = 1; number <= used; number += 1) {
    if (free.has(number) || isPointerMap(number)) continue
    records.push(...payloadsOf(pages, number, usable))
  }
  return Buffer.concat(records.flatMap((each) => [each, Buffer.from('\n')]))
}

/** §4: the last version of each page in the log that belongs to a transaction that was committed. */
function committed(log: Buffer, size: number): Map<number, Buffer> {
  const pages = new Map<number, Buffer>()
  if (log.length < 32) return pages
  const salts = log.subarray(16, 24)
  let open: [number, Buffer][] = []
  for (let at = 32; at + 24 + size <= log.length; at += 24 + size) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    open.push([log.readUInt32BE(at), log.subarray(at + 24, at + 24 + size)])
    if (log.readUInt32BE(at + 4) === 0) continue
    for (const [number, page] of open) pages.set(number, page)
    open = []
  }
  return pages
}

/** §1.5: trunk pages, each with the numbers of leaf pages. */
function freePages(pages: Pages, trunk: number): Set<number> {
  const free = new Set<number>()
  for (let next = trunk; next > 0 && !free.has(next); next = pages(next).readUInt32BE(0)) {
    free.add(next)
    const page = pages(next)
    const leaves = page.readUInt32BE(4)
    for (let index = 0; index < leaves; index += 1) free.add(page.readUInt32BE(8 + 4 * index))
  }
  return free
}

/** §1.6: the payload of every cell of a page, with what of it overflows. */
function payloadsOf(pages: Pages, number: number, usable: number): Buffer[] {
  const page = pages(number)
  const start = number === 1 ? 100 : 0
  const kind = cellPages.get(page.readUInt8(start))
  if (!kind) return []
  return Array.from({ length: page.readUInt16BE(start + 3) }, (_, index) => {
    const cell = page.readUInt16BE(start + kind.header + 2 * index) + kind.skip
    const [length, behind] = varint(page, cell)
    const at = kind.isIndex ? behind : varint(page, behind)[1]
    const most = kind.isIndex ? Math.floor(((usable - 12) * 64) / 255) - 23 : usable - 35
    const least = Math.floor(((usable - 12) * 32) / 255) - 23
    const fitting = least + ((length - least) % (usable - 4))
    const local = length <= most ? length : fitting <= most ? fitting : least
    const parts = [page.subarray(at, at + local)]
    let rest = length - local
    let next = rest > 0 ? page.readUInt32BE(at + local) : 0
    while (rest > 0 && next > 0) {
      const overflow = pages(next)
      const here = Math.min(rest, usable - 4)
      parts.push(overflow.subarray(4, 4 + here))
      rest -= here
      next = overflow.readUInt32BE(0)
    }
    return Buffer.concat(parts)
  })
}

/** §1.6: seven bits each, the ninth byte whole; the value, and where it ends. */
function varint(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes.readUInt8(at + index)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + index + 1]
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9]
}
