/** The harness: drives, records and judges, and plays the parties around an implementation. */

export * from './engine/index.ts'
export * from './parties/index.ts'
