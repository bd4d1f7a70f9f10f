/** The profile `rap-oauth/tool`: its catalogue, its scenarios, its configuration. */

import type { Profile } from '../../../harness/index.ts'
import { requirements } from '../requirements.ts'
import {
  declaredBy,
  toolConfiguration,
  type Declared,
  type ToolConfiguration,
} from './configuration.ts'
import { scenarios } from './scenarios/index.ts'
import { openTheatre, type World } from './world.ts'

export const rapTool: Profile<World, Declared, ToolConfiguration> = {
  id: 'rap-oauth/tool',
  title: 'RAP OAuth, tool role',
  requirements: requirements.filter((row) => row.id.startsWith('rap-oauth/tool/')),
  scenarios,
  gate: 'authorize-and-complete',
  driven: {
    soon: (t) => t.requests('browser')[0],
    atAll: (t) => t.requests('callback')[0],
    otherwise: 'got no message from the implementation',
  },
  configuration: toolConfiguration,
  declared: declaredBy,
  open: openTheatre,
}
