/** Shows a file to whoever sits at this machine, with the program that they open such files with. */

import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Resolves with whether it could be started; it is not waited for. `BROWSER` is asked first. */
export function openInBrowser(
  file: string,
  { BROWSER: chosen }: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<boolean> {
  const [program = '', ...args] =
    chosen === undefined || chosen === '' ? (openers[process.platform] ?? ['xdg-open']) : [chosen]
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
