export const answeringDefects: readonly import('./defect.ts').Defect[] = []
