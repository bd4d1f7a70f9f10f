/** Files that import each other. */

import type { Imports } from './source-tree.ts'

/** The strongly connected components of more than one file, or of one that imports itself (Tarjan's algorithm). */
export function cyclesOf(imports: Imports): string[][] {
  const cycles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    open.push(file)
    const lower = (value: number): void => {
      lowest.set(file, Math.min(lowest.get(file) ?? value, value))
    }
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) {
        visit(next)
        lower(lowest.get(next) ?? 0)
      } else if (open.includes(next)) lower(order.get(next) ?? 0)
    }
    if (lowest.get(file) !== order.get(file)) return
    const component = open.splice(open.indexOf(file)).sort()
    const importsItself = imports.get(file)?.includes(file) ?? false
    if (component.length > 1 || importsItself) cycles.push(component)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return cycles
}
