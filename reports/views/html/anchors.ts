/** Names of places inside the report. Requirements keep their id, so that a link to one survives. */

import type { Evidence } from '../../../harness/engine/index.ts'

/** Anything but these characters could end the name or change what a link means. */
function plain(text: string): string {
  return text.slice(0, 200).replace(/[^\w./-]/g, '_')
}

export const anchors = {
  requirement: (id: string): string => plain(id),
  scenario: (id: string): string => `scenario.${plain(id)}`,
  event: ({ scenario, seq }: Evidence): string => `event.${plain(scenario)}.${seq}`,
  finding: (index: number): string => `finding.${index}`,
}
