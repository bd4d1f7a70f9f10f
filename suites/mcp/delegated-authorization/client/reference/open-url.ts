/** Opens a URL in the browser of the user: a process of its own, of which this client sees nothing. */

import { spawn } from 'node:child_process'

/** One argument and no shell, so that the browser gets the URL as it is. */
export function openUrl(url: string): Promise<boolean> {
  const fallback = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const browser = spawn(process.env['BROWSER'] ?? fallback, [url], {
    stdio: 'ignore',
    detached: true,
  })
  browser.unref()
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(true))
    browser.once('error', () => resolve(false))
  })
}
