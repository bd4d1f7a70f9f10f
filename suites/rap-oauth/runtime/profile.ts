/** The profile `rap-oauth/runtime`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../harness/index.ts'
import { requirements } from '../requirements.ts'
import {
  declaredBy,
  runtimeConfiguration,
  type Declared,
  type RuntimeConfiguration,
} from './configuration.ts'
import { scenarios } from './scenarios/index.ts'
import { isAfter } from './view.ts'
import { openTheatre, type World } from './world.ts'

export const rapRuntime: Profile<World, Declared, RuntimeConfiguration> = {
  id: 'rap-oauth/runtime',
  title: 'RAP OAuth, runtime role',
  requirements: requirements.filter((row) => row.id.startsWith('rap-oauth/runtime/')),
  scenarios,
  gate: 'authorize-and-complete',
  driven: {
    // What is shown before may be a greeting.
    soon: (t) => t.surfaces().find((event) => isAfter(event, t.requests('invocation')[0])),
    atAll: (t) => t.requests('invocation')[0],
    otherwise: 'saw no invocation of the tool',
  },
  configuration: runtimeConfiguration,
  declared: declaredBy,
  open: openTheatre,
}
