/** What the vendor of a planner configures. */

import { z } from 'zod'
import {
  declaredBy as frameworkDeclared,
  frameworkConfiguration,
  frameworkDeclares,
  type Declared as FrameworkDeclared,
} from '../configuration.ts'

export const plannerConfiguration = frameworkConfiguration.extend({
  profile: z.literal('penguiflow-oauth/planner'),
  declares: frameworkDeclares
    .extend({
      page: z
        .boolean()
        .default(true)
        .describe(
          'Whether it is made after PenguiFlow’s page; otherwise it is asked for best practice alone.',
        )
        .meta({
          flag: '--page <yes|no>',
          reads: 'yes or no',
          help: 'whether it is made after PenguiFlow’s page, yes or no',
        }),
    })
    .prefault({}),
})

export type PlannerConfiguration = z.infer<typeof plannerConfiguration>

/** The declarations as checks see them. */
export interface Declared extends FrameworkDeclared {
  readonly page: boolean
}

export function declaredBy(configuration: PlannerConfiguration): Declared {
  return { ...frameworkDeclared(configuration), page: configuration.declares.page }
}
