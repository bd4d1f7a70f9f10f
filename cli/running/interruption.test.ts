import { afterEach, expect, test, vi } from 'vitest'
import { Unreached } from '../../harness/engine/index.ts'
import { watchForInterruption } from './interruption.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what is blocked does not outlive SIGTERM for long, and is told', () => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const told: string[] = []
  const { signal, stop } = watchForInterruption((why) => told.push(why))
  process.emit('SIGTERM')
  expect(signal.aborted).toBe(true)
  vi.advanceTimersByTime(29_000)
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2000)
  expect(exit).toHaveBeenCalledWith(143)
  expect(told.at(-1)).toContain('something was blocked')
  stop()
})

test('a run that ended in an orderly way is left alone', () => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  const { stop } = watchForInterruption(() => undefined)
  process.emit('SIGTERM')
  stop()
  vi.advanceTimersByTime(60_000)
  expect(exit).not.toHaveBeenCalled()
})

test('what a scenario has not come to await yet ends nothing; any other error that nobody catches ends the run', () => {
  const told: string[] = []
  const { signal, crashes, stop } = watchForInterruption((why) => told.push(why))
  process.emit('unhandledRejection', new Unreached('no answer'), Promise.resolve())
  expect(signal.aborted).toBe(false)
  process.emit('unhandledRejection', new Error('broken'), Promise.resolve())
  expect(signal.aborted).toBe(true)
  expect(crashes.map(({ message }) => message)).toEqual(['broken'])
  stop()
})
