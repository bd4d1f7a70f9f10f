export const waysOddities: readonly import('./oddity.ts').Oddity[] = []
