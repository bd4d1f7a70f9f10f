/** The table of every provider preset. */
import { atlassian } from './atlassian.ts'
import { auth0 } from './auth0.ts'
import type { Deviations, Preset } from './deviation.ts'
import { entra } from './entra.ts'
import { figma } from './figma.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { keycloak } from './keycloak.ts'
import { linear } from './linear.ts'
import { notion } from './notion.ts'
import { salesforce } from './salesforce.ts'
import { slack } from './slack.ts'
import { supabase } from './supabase.ts'

/** Every preset by its name. */
export const presets = {
  atlassian,
  auth0,
  entra,
  figma,
  github,
  google,
  keycloak,
  linear,
  notion,
  salesforce,
  slack,
  supabase,
} as const satisfies Readonly<Record<string, Preset>>

/** The name of a preset, for example `github`. */
export type PresetName = keyof typeof presets

/** Tells whether a string is the name of a preset. */
export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

/**
 * The deviations of a preset, which is named or given; none without one.
 * @throws TypeError for an unknown name
 */
export function deviationsOf(preset: PresetName | Preset | undefined): Deviations {
  if (typeof preset !== 'string') return Object.entries(preset?.deviations ?? {})
  if (isPresetName(preset)) return Object.entries(presets[preset].deviations)
  const known = Object.keys(presets).join(', ')
  throw new TypeError(`unknown preset: ${String(preset)}; there are ${known}`)
}
