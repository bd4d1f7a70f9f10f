/** `aoc provider token`: asks a running provider for a token, without a flow. */
import { z } from 'zod'
import { terminalOf } from '../print/terminal.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

export interface ProviderTokenOptions {
  readonly url: string
  readonly controlToken?: string
  readonly subject?: string
  readonly client?: string
  readonly scope?: string
  readonly audience?: readonly string[]
  readonly claims?: string
  readonly lifetime?: string
  readonly format?: string
  readonly json?: boolean
}

const answer = z.looseObject({
  access_token: z.string().optional(),
  error_description: z.string().optional(),
})

/** Prints a token and returns the exit code. @throws {@link UsageError} */
export async function providerToken(options: ProviderTokenOptions): Promise<number> {
  const { line } = terminalOf(process.stdout)
  const response = await ask(options, {
    subject: options.subject,
    clientId: options.client,
    scopes: options.scope?.split(' ').filter((scope) => scope !== ''),
    audience: options.audience,
    claims: options.claims === undefined ? undefined : claimsIn(options.claims),
    lifetime: options.lifetime === undefined ? undefined : Number(options.lifetime),
    format: options.format,
  })
  const members = answer.safeParse(await response.json().catch(() => undefined)).data
  if (members?.access_token === undefined) {
    const why = members?.error_description ?? `status ${response.status}`
    throw new UsageError(`${options.url} issues no token: ${why}`, [
      'the provider needs --control; --control-token where it printed one',
    ])
  }
  line(options.json ? JSON.stringify(members) : members.access_token)
  return 0
}

/** @throws UsageError */
async function ask({ url, controlToken }: ProviderTokenOptions, wanted: object): Promise<Response> {
  if (!URL.canParse(url)) throw new UsageError(`--url: ${url} is not a URL`)
  const { origin, pathname } = new URL(url)
  const tenant = pathname === '/' ? '' : `/tenants${pathname}`
  try {
    return await fetch(`${origin}/_control${tenant}/tokens`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
      },
      body: JSON.stringify(wanted),
    })
  } catch (error) {
    throw new UsageError(`${url} is not reachable: ${messageOf(error)}`)
  }
}

/** @throws UsageError */
function claimsIn(text: string): object {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text))
  } catch {
    throw new UsageError('--claims: expected a JSON object')
  }
}
