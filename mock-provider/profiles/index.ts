/** The table of every provider profile. */
import { atlassian } from './atlassian.ts'
import type { Profile } from './deviation.ts'
import { entra } from './entra.ts'
import { figma } from './figma.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { linear } from './linear.ts'
import { notion } from './notion.ts'
import { salesforce } from './salesforce.ts'
import { slack } from './slack.ts'

/** Every profile by its name. */
export const profiles = {
  atlassian,
  entra,
  figma,
  github,
  google,
  linear,
  notion,
  salesforce,
  slack,
} as const satisfies Readonly<Record<string, Profile>>

export type ProfileName = keyof typeof profiles

/** Tells whether a string is the name of a profile. */
export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name)
}
