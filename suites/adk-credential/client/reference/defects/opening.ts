export const openingDefects: readonly import('./defect.ts').Defect[] = []
