/** Finds out where and what to invoke: the discovery document, with the overrides of the configuration. */

import type { z } from 'zod'
import { jsonOf, type Body, type Run } from '../../../harness/engine/index.ts'
import { fill, HttpFailure, type Deployment } from '../../../harness/parties/index.ts'
import { usableManifest } from '../messages.ts'
import type { ToolConfiguration } from './configuration.ts'
import { manifestPath } from './vocabulary.ts'

export interface Endpoint {
  /** Where invocations go; empty when nothing could be found. */
  readonly url: string
  readonly operation: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the operation says of its arguments. */
  readonly inputSchema?: unknown
  /** Why the endpoint or the operation could not be determined. */
  readonly problem?: string
}

export async function discover(
  deployment: Deployment,
  configuration: ToolConfiguration,
  run: Run,
): Promise<Endpoint> {
  const { implementation } = deployment
  const { operation, target } = configuration
  const found = await readManifest(deployment, run)
  const override =
    target.endpoint &&
    resolveEndpoint(fill(target.endpoint, placeholders(deployment)), implementation.url)
  const advertised = found.endpoint && reachable(found.endpoint, deployment)
  const url = override || advertised || ''
  const name = operation.name ?? found.operation ?? ''
  return {
    url,
    operation: name,
    arguments: operation.arguments,
    inputSchema: found.schemas?.get(name),
    ...(url && name ? {} : { problem: url ? noOperation(found.problem) : noEndpoint(found) }),
  }
}

interface Found {
  readonly endpoint?: string | undefined
  readonly operation?: string | undefined
  /** The input schemas of all operations, by their names. */
  readonly schemas?: ReadonlyMap<string, unknown>
  readonly problem?: string | undefined
}

async function readManifest({ implementation, transport }: Deployment, run: Run): Promise<Found> {
  const url = implementation.url + manifestPath
  try {
    const { status, body } = await transport({
      method: 'GET',
      url,
      headers: { accept: 'application/json', ...implementation.headers },
      within: run.timing.stepMs,
      signal: run.signal,
    })
    const parsed = usableManifest.safeParse(jsonOf(body))
    if (status !== 200) return { problem: `GET ${url} answered ${status}` }
    if (!parsed.success) return { problem: `GET ${url}: ${whyUnusable(parsed.error, body)}` }
    const { endpoint, tools } = parsed.data
    const preferred = tools.find((tool) => tool.annotations?.requiresAuth) ?? tools[0]
    const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]))
    return { endpoint, operation: preferred?.name, schemas }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    return { problem: `GET ${url} failed: ${error.message}` }
  }
}

function whyUnusable({ issues: [issue] }: z.ZodError, body: Body | undefined): string {
  if (jsonOf(body) === undefined) return 'the answer is not JSON'
  const at = issue?.path.join('.') || 'the document'
  return `the discovery document is unusable at ${at}: ${issue?.message}`
}

/** The endpoint as it can be reached from here: mapped origins count, other hosts do not. */
function reachable(endpoint: string, { origins }: Deployment): string | undefined {
  const { origin, pathname, search } = new URL(endpoint)
  const reached = origins.get(origin)
  return reached === undefined ? undefined : reached + pathname + search
}

function resolveEndpoint(endpoint: string, base: string): string {
  return new URL(endpoint, `${base}/`).href
}

function placeholders({ implementation }: Deployment): Record<string, string> {
  return { 'tool.url': implementation.url, port: new URL(implementation.url).port }
}

function noEndpoint({ endpoint, problem }: Found): string {
  if (endpoint)
    return `the advertised endpoint ${endpoint} is not at the target; set target.endpoint or target.origins`
  return `${problem}; correct it, or set target.endpoint`
}

function noOperation(problem: string | undefined): string {
  return `${problem ?? 'no operation is known'}; set operation.name`
}
