/** Under which origins an implementation is reached. */

import type { TargetConfiguration } from '../target-settings.ts'

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}

/** The origins of the implementation; the names of the loopback interface count as one. */
export function originsOf(url: string, target: TargetConfiguration): Map<string, string> {
  const own = new URL(url)
  const origins = new Map([[own.origin, own.origin]])
  const loopback = ['localhost', '127.0.0.1', '[::1]']
  if (loopback.includes(own.hostname)) {
    for (const host of loopback) {
      origins.set(`${own.protocol}//${host}${own.port ? `:${own.port}` : ''}`, own.origin)
    }
  }
  for (const [seen, reached] of Object.entries(target.origins)) origins.set(seen, reached)
  return origins
}
