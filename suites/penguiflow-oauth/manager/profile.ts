/** The profile `penguiflow-oauth/manager`: its catalogue, its scenarios, its configuration. */

import { fileURLToPath } from 'node:url'
import type { Profile } from '../../../harness/engine/index.ts'
import { diagram, placeholders } from '../diagram.ts'
import { specification } from '../specification.ts'
import { outcomesOf } from '../view.ts'
import {
  declaredBy,
  managerConfiguration,
  type Declared,
  type ManagerConfiguration,
} from './configuration.ts'
import { clientBed, type ManagerFixtures } from './fixtures.ts'
import { conformance } from './reference/conformance.ts'
import { requirements } from './requirements/index.ts'
import { scenarios } from './scenarios/index.ts'

/** The manager of the reference planner: one program for both roles. */
const program = fileURLToPath(new URL('../planner/reference/main.py', import.meta.url))

export const penguiflowManager: Profile<ManagerFixtures, Declared, ManagerConfiguration> = {
  id: 'penguiflow-oauth/manager',
  title: 'PenguiFlow OAuth & HITL, manager role',
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
    name: 'reference manager',
    settings: () => ({ ...conformance, target: { command: ['python3', '-I', '-B', program] } }),
  },
  configuration: managerConfiguration,
  start: {
    target: { command: ['python3', 'adapter.py'] },
    operation: { name: 'items_list' },
  },
  placeholders,
  declared: declaredBy,
  async open(options) {
    const { openTestBed } = await import('../test-bed.ts')
    const { target, declares } = options.configuration
    const clock = { jumps: target.clock === 'jump', advances: declares.clock }
    const bed = await openTestBed(options, { hidesStates: false, clock })
    return clientBed(bed, options.configuration)
  },
}
