/** A recipe: public software of others, how it is installed, what is certified of it, and how its findings were read. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const recipesFolder = fileURLToPath(new URL('../../implementations', import.meta.url))

const pinned = z.array(z.string().regex(/(?:@v?|==)\d/, 'names no version')).min(1)

const reading = z.strictObject({
  /** The configuration whose run has the findings; without it, every one. */
  in: z.string().exactOptional(),
  requirements: z.array(z.string()).min(1),
  /** What was observed, in a sentence. */
  text: z.string(),
  /** Where in the software that is so. */
  source: z.string(),
})

const recipeSchema = z.strictObject({
  /** What it is, in a sentence. */
  what: z.string(),
  home: z.url(),
  /** What a version is pinned of; the first one is the software itself. */
  install: z.union([
    z.strictObject({ npm: pinned }),
    z.strictObject({ pypi: pinned, source: z.string().exactOptional() }),
    z.strictObject({ go: pinned }),
    /** They stand in the recipe's Cargo.toml, with their features. */
    z.strictObject({ cargo: pinned }),
  ]),
  /** Why it cannot be installed or run, where that is so. */
  unable: z.string().exactOptional(),
  configurations: z.array(z.string()),
  /** How the findings were read against its source. */
  observed: z.array(reading),
  /** Why something could not be proven, for each configuration of which that is so. */
  unproven: z
    .array(z.strictObject({ in: z.string(), text: z.string(), source: z.string() }))
    .prefault([]),
  /** What is to be known beside the findings. */
  remarks: z.array(z.string()).prefault([]),
  /** Findings that turned out to be wrong, and what was mended. */
  mended: z.array(z.strictObject({ was: z.string(), mend: z.string() })).prefault([]),
})

/** How findings of one kind were read against the source of the software. */
export type Reading = z.infer<typeof reading>
/** A recipe with the name of its folder. */
export type Recipe = z.infer<typeof recipeSchema> & {
  readonly name: string
  readonly folder: string
}

/** All recipes, by name. @throws Error where one is malformed, or names a configuration that it does not have */
export function readRecipes(): Recipe[] {
  return readdirSync(recipesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readRecipe(name))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function readRecipe(name: string): Recipe {
  const folder = join(recipesFolder, name)
  const parsed = recipeSchema.safeParse(
    JSON.parse(readFileSync(join(folder, 'recipe.json'), 'utf8')),
  )
  if (!parsed.success) {
    throw new Error(`implementations/${name}/recipe.json: ${z.prettifyError(parsed.error)}`)
  }
  for (const file of parsed.data.configurations) {
    if (!existsSync(join(folder, file))) throw new Error(`implementations/${name}: no ${file}`)
  }
  return { ...parsed.data, name, folder }
}
