/** Judgements about where the challenge leads. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Evidence,
  type Judgement,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { isRecord, textIn } from '../../../wire/values.ts'
import { coveredBy, isEndpoint, isSameIssuer, wellKnownUrls } from '../../resource.ts'
import { challenged, retried, type Judge } from '../scenarios/define.ts'
import {
  callOf,
  citeAnswer,
  describeAnswer,
  membersOfMetadata,
  metadataUrlOf,
  resourceMetadata,
  serverMetadata,
  surroundingsOf,
  type Fetched,
  unchallenged,
} from '../view.ts'

/** Where the challenge of a call leads. */
export const metadataUrl =
  (name: string = challenged): Judge =>
  (t) => {
    const call = callOf(t, name)
    const why = unchallenged(call)
    if (why !== undefined) return inconclusive(why, citeAnswer(call))
    if (call.bearers.length === 0)
      return inconclusive('there is no Bearer challenge that can be read', citeAnswer(call))
    const url = metadataUrlOf(call)
    const expected = 'resource_metadata with an absolute https URL that answers 200 with JSON'
    const wrong = (actual: string, evidence: readonly Evidence[]): Judgement =>
      violation('the challenge leads to no metadata', { expected, actual }, evidence)
    if (url === undefined) return wrong('no resource_metadata', citeAnswer(call))
    if (!isSecure(url)) return wrong(show(url), citeAnswer(call))
    const fetched = resourceMetadata(t, name)
    if (!fetched) return inconclusive('the metadata was not fetched', citeAnswer(call))
    const { request, answer, json } = fetched
    const evidence = [...citeAnswer(call), ...cite(request, answer)]
    if (!answer) {
      const failure = t.answer(request)
      if (failure?.type !== 'failure')
        return inconclusive('the metadata was not answered', evidence)
      if (failure.code === 'foreign')
        return inconclusive(`${failure.message}; where it is yours, set target.origins`, evidence)
      return wrong(failure.message, cite(request, failure))
    }
    if (answer.status !== 200) return wrong(`HTTP ${answer.status}`, evidence)
    const type = answer.headers['content-type'] ?? ''
    if (!/^application\/json\s*(;|$)/i.test(type))
      return wrong(`content-type ${show(type)}`, evidence)
    if (!isRecord(json)) return wrong('a body that is not a JSON object', evidence)
    return pass(`${url} answers with a JSON object`, evidence)
  }

/** Credentials travel no other way than from a server that is what it says; a developer's own machine is. */
function isSecure(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

/** Judges a document that was fetched and is a JSON object. */
function ofMetadata(
  judge: (
    metadata: Readonly<Record<string, unknown>>,
    fetched: Fetched,
    t: Transcript,
    evidence: readonly Evidence[],
  ) => Judgement,
): Judge {
  return (t) => {
    const fetched = resourceMetadata(t, challenged)
    if (!fetched) return inconclusive('the metadata was not fetched')
    const evidence = cite(fetched.request, fetched.answer)
    if (fetched.answer?.status !== 200 || !isRecord(fetched.json))
      return inconclusive('there is no metadata to judge', evidence)
    return judge(membersOfMetadata(fetched), fetched, t, evidence)
  }
}

export const metadataValid: Judge = ofMetadata((metadata, _, __, evidence) => {
  const { resource, authorization_servers: servers } = metadata
  const wrong = (expected: string, actual: unknown): Judgement =>
    violation(
      'the document is not protected resource metadata',
      { expected, actual: show(actual ?? 'missing') },
      evidence,
    )
  if (!isIdentifier(resource)) return wrong('resource, a URL without a fragment', resource)
  if (!Array.isArray(servers) || servers.length === 0)
    return wrong('authorization_servers, with at least one issuer', servers)
  const odd = servers.find((each) => !isIdentifier(each))
  if (odd !== undefined) return wrong('authorization_servers, all of them URLs', odd)
  return pass(`the metadata of ${resource}`, evidence)
})

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && !value.includes('#')
}

export const metadataCovers: Judge = ofMetadata(({ resource }, _, t, evidence) => {
  if (!isIdentifier(resource)) return inconclusive('the metadata names no resource', evidence)
  const { endpoint, reached } = surroundingsOf(t)
  if (coveredBy(resource, endpoint, reached)) return pass(`${resource} covers it`, evidence)
  return violation(
    'the metadata describes another resource',
    { expected: `${endpoint}, or what stands above it`, actual: show(resource) },
    evidence,
  )
})

export const metadataExact: Judge = ofMetadata(({ resource }, _, t, evidence) => {
  const { endpoint, reached } = surroundingsOf(t)
  const name = textIn(resource)
  if (!coveredBy(name, endpoint, reached))
    return inconclusive('the metadata names no resource that covers the endpoint', evidence)
  if (isEndpoint(name, endpoint, reached)) return pass('it names the endpoint itself', evidence)
  return violation(
    'the resource is not the URL that was called',
    { expected: endpoint, actual: show(resource) },
    evidence,
  )
})

export const chainResolves: Judge = ofMetadata((metadata, _, t, evidence) => {
  const { authorization_servers: servers } = metadata
  if (!Array.isArray(servers) || !servers.every(isIdentifier) || servers.length === 0)
    return inconclusive('the metadata names no authorization server', evidence)
  const { issuer } = surroundingsOf(t)
  const fetched = serverMetadata(t, challenged)
  const answers = cite(...fetched.flatMap(({ request, answer }) => [request, answer]))
  const found = fetched.find(({ json }) => isRecord(json) && textIn(json['issuer']) !== '')
  const named = textIn(found && membersOfMetadata(found)['issuer'])
  const isListed = (name: string): boolean => servers.some((each) => isSameIssuer(each, name))
  if (found?.answer?.status === 200 && isSameIssuer(named, issuer) && isListed(named))
    return pass(`it leads to ${named}`, [...evidence, ...answers])
  if (fetched.length === 0) return inconclusive('the chain was not followed', evidence)
  const configure = `configure ${issuer} as its authorization server`
  const failures = fetched.map(({ request }) => t.answer(request))
  const failed = failures.find((answer) => answer?.type === 'failure')
  if (failed?.type === 'failure' && failed.code === 'foreign')
    return inconclusive(`${failed.message}; ${configure}`, [...evidence, ...answers])
  // Who does not answer there is the provider of the run, and not the server.
  if (
    failed &&
    fetched.some(
      ({ request }) => t.answer(request) === failed && originIn(request.url) === originIn(issuer),
    )
  )
    return inconclusive(`the provider did not answer: ${failed.message}`, [...evidence, ...answers])
  const tried = servers.find((each) => isSameIssuer(each, issuer)) ?? servers[0] ?? ''
  const isLast = fetched.at(-1)?.request.url === wellKnownUrls(tried).at(-1)
  if (!found && !failed && (!isLast || failures.includes(undefined)))
    return inconclusive('the chain was not followed to its end', [...evidence, ...answers])
  const other = found?.answer?.status === 200 && isListed(named)
  if (other && !isSameIssuer(named, issuer)) {
    const why = `the metadata leads to ${named}, which is not the provider; ${configure}`
    return inconclusive(why, [...evidence, ...answers])
  }
  return violation(
    'the metadata does not lead to the authorization server',
    { expected: `authorization_servers: [${show(issuer)}]`, actual: show(servers) },
    [...evidence, ...answers],
  )
})

/**
 * What a request claims about its host changed neither the challenge nor the metadata. The metadata of the first call
 * was fetched with the claim, the second call was made with it, and the third one without.
 */
export function isNotSteered(forged: string): Judge {
  return (t, { control }) => {
    const [usual, claimed] = [callOf(t, challenged), callOf(t, retried)]
    const later = [claimed, callOf(t, 'call-3')]
    const why = unchallenged(usual)
    if (why !== undefined) return inconclusive(why, citeAnswer(usual))
    const before = metadataUrlOf(usual)
    if (before === undefined || !URL.canParse(before))
      return inconclusive(
        'the challenge names no metadata that could be steered',
        citeAnswer(usual),
      )
    const fetched = resourceMetadata(t, challenged)
    const undisturbed = control && resourceMetadata(control, challenged)
    const [seen, known] = [fetched, undisturbed].map((each) => originOf(each))
    const body = fetched?.answer?.body?.text ?? ''
    // Whoever refuses a claim may say which.
    const isServed = (fetched?.answer?.status ?? 0) < 400
    if (
      fetched &&
      isServed &&
      (body.includes(forged) || (seen !== undefined && known !== undefined && seen !== known))
    ) {
      return violation(
        'the host that the request claimed is in the metadata',
        { expected: `a resource at ${known ?? 'the server'}`, actual: show(seen ?? forged) },
        cite(fetched.request, fetched.answer),
      )
    }
    for (const call of later) {
      const after = metadataUrlOf(call)
      if (after === undefined || !(after.includes(forged) || originIn(after) !== originIn(before)))
        continue
      return violation(
        call === claimed
          ? 'the host that the request claimed is in the challenge'
          : 'the host that a request claimed is in the challenge to the next one',
        { expected: show(before), actual: show(after) },
        [...citeAnswer(usual), ...citeAnswer(call)],
      )
    }
    if (!fetched?.answer) return inconclusive('the metadata was not fetched with the claim')
    if (describeAnswer(claimed) === undefined)
      return inconclusive('the call with the claim was not answered')
    return pass('both stay as they are', [...cite(fetched.answer), ...citeAnswer(claimed)])
  }
}

function originOf(fetched: Fetched | undefined): string | undefined {
  return fetched && originIn(textIn(membersOfMetadata(fetched)['resource']))
}

function originIn(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}
