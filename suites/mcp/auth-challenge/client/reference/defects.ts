import type { Defect } from './defects/defect.ts'
export const defects: readonly Defect[] = []
