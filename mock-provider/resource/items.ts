/** The default API: a list of items per user. */
import { z } from 'zod'
import { parseJson } from '../http/json-body.ts'
import { json } from '../http/reply.ts'
import { BoundedMap } from '../storage/bounded.ts'
import { limits, type Limits } from '../storage/limits.ts'
import type { ResourceRoute } from './resource-route.ts'

/** An entry of the protected API that is there by default. */
export interface Item {
  readonly id: string
  readonly title: string
}

const newItem = z.object({ title: z.string().min(1).max(1000) })

/**
 * Routes over a fresh store. Every user has one item from the start whose title contains the
 * subject, so that a crossing of users is visible.
 */
export function itemRoutes(
  most: Pick<Limits, 'subjects' | 'itemsPerSubject'> = limits,
): readonly ResourceRoute[] {
  const bySubject = new BoundedMap<string, Item[]>(most.subjects)
  const itemsOf = (subject: string) => {
    const items = bySubject.get(subject) ?? [{ id: '1', title: `Welcome, ${subject}` }]
    if (!bySubject.has(subject)) bySubject.set(subject, items)
    return items
  }
  return [
    {
      method: 'GET',
      path: '/items',
      scope: 'items:read',
      serve: ({ subject }) => json({ items: itemsOf(subject) }),
      reset: () => bySubject.clear(),
    },
    {
      method: 'POST',
      path: '/items',
      scope: 'items:write',
      serve({ subject, headers, body }) {
        const { title } = parseJson(newItem, headers, body)
        const items = itemsOf(subject)
        const item = { id: String(Number(items.at(-1)?.id ?? 0) + 1), title }
        items.push(item)
        if (items.length > most.itemsPerSubject) items.shift()
        return json({ ...item }, 201)
      },
    },
  ]
}
