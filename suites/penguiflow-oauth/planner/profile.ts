/** The profile `penguiflow-oauth/planner`: its catalogue, its scenarios, its configuration. */

import { fileURLToPath } from 'node:url'
import type { Profile } from '../../../harness/engine/index.ts'
import { diagram, placeholders } from '../diagram.ts'
import { specification } from '../specification.ts'
import type { Fixtures } from '../test-bed.ts'
import { outcomesOf } from '../view.ts'
import {
  declaredBy,
  plannerConfiguration,
  type Declared,
  type PlannerConfiguration,
} from './configuration.ts'
import { conformance } from './reference/conformance.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'

/** What a reader has to know of a run that asks nothing of the page. */
const bestPracticeAlone =
  'Best practice alone was asked: the implementation is not made after the page of this profile.'

export const penguiflowPlanner: Profile<Fixtures, Declared, PlannerConfiguration> = {
  id: 'penguiflow-oauth/planner',
  title: 'PenguiFlow OAuth & HITL, planner role',
  specification,
  requirements,
  scenarios,
  gate: {
    scenario: 'authorize-and-complete',
    soon: (t) => t.steps('resume')[0],
    atAll: (t) => outcomesOf(t, 'call-1')[0],
    otherwise: 'got neither a pause nor an end of its run',
  },
  diagram,
  reference: {
    name: 'reference planner',
    settings: () => ({
      ...conformance,
      target: {
        command: [
          'python3',
          '-I',
          '-B',
          fileURLToPath(new URL('reference/main.py', import.meta.url)),
        ],
      },
    }),
  },
  configuration: plannerConfiguration,
  start: {
    target: { command: ['python3', 'adapter.py'] },
    operation: { name: 'items_list' },
  },
  placeholders,
  declared: declaredBy,
  open: async (options) =>
    (await import('../test-bed.ts')).openTestBed(options, {
      hidesStates: true,
      ...(options.configuration.declares.page ? {} : { note: bestPracticeAlone }),
    }),
}
