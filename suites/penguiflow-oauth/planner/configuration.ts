/** What the vendor of a planner configures. */

import { z } from 'zod'
import { frameworkConfiguration } from '../configuration.ts'

export const plannerConfiguration = frameworkConfiguration.extend({
  profile: z.literal('penguiflow-oauth/planner'),
})

export type PlannerConfiguration = z.infer<typeof plannerConfiguration>
