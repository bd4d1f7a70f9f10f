/** Loads an implementation that is a module: its fetch handler answers inside this process. */

import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { Unreachable } from '../../engine/scenario.ts'
import type { Placeholders } from './template.ts'

export type FetchHandler = (request: Request) => Response | Promise<Response>

/** Loads a module that answers inside this process. */
export async function loadHandler(
  module: string,
  base: string,
  environment: Placeholders,
): Promise<FetchHandler> {
  const file = isAbsolute(module) ? module : resolve(base, module)
  const loaded = await importModule(file)
  const exported = (loaded['default'] ?? loaded) as { fetch?: unknown; create?: unknown }
  const create = loaded['create'] ?? exported.create
  if (typeof create === 'function') {
    const made = (await create(environment)) as FetchHandler | { fetch: FetchHandler }
    return typeof made === 'function' ? made : made.fetch.bind(made)
  }
  const handler = typeof exported === 'function' ? exported : exported.fetch
  if (typeof handler !== 'function') {
    throw new Unreachable(`${file} exports neither a fetch handler nor create(environment)`)
  }
  return handler.bind(exported) as FetchHandler
}

async function importModule(file: string): Promise<Record<string, unknown>> {
  try {
    if (!file.endsWith('.ts'))
      return (await import(pathToFileURL(file).href)) as Record<string, unknown>
    return await createJiti(import.meta.url).import(file)
  } catch (error) {
    throw new Unreachable(
      `cannot load ${file}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
