/** Finds the credentials that a vendor hands to its implementation: they must be in no artefact of ours. */

import { shortestDeclared } from './encodings.ts'

/** Names of environment variables whose values are likely to be credentials. */
export const sensitiveName =
  /secret|token|passw|credential|auth|cookie|(^|_)(api_?)?key($|_)|private/i

/** Names of what is a secret even if it is an ordinary word. */
const passwordName = /(passw(or)?d|passphrase|secret|credential)s?$/i

/** Shortest value of an environment variable that counts; what is shorter stands in too many texts. */
const shortestValue = 8

/** Addresses are no secrets, and a recording without them could not be judged. */
const address =
  /^([a-z][\w+.-]*:\/\/|\/|[\w.-]+:\d+$|([a-z\d-]{1,63}\.){1,8}[a-z]{2,12}$|[a-z]+\/[a-z\d.+-]+(;|$))/i

/** A word, or some, with small numbers: the name of a mode, a method or a region; it may stand anywhere. */
const words = /^[a-z]+([ _.-]([a-z]+|\d{1,4}))*$/i

/** A count, a date, a version. */
const numbers = /^v?\d[\d\s.,:_/+-]*$/i

type Environment = Readonly<Record<string, string | undefined>>

interface Configured {
  readonly target?: {
    readonly url?: string
    readonly endpoint?: string
    readonly headers?: Environment
    readonly env?: Readonly<Record<string, string>>
  }
}

/**
 * The credentials among the values of a configuration: all that it takes from the environment (`{env.NAME}`), what it
 * writes into the implementation's under a telling name, and the user part of every URL. A value that is an ordinary
 * word, a number or an address is none, nor is one that the configuration shows elsewhere: a recording without it could
 * not be judged.
 */
export function vendorSecrets(
  configuration: object,
  environment: Environment = process.env,
): string[] {
  const { target = {} } = configuration as Configured
  const { url = '', endpoint = '', headers = {}, env = {}, ...rest } = target
  const open = JSON.stringify({ ...configuration, target: { ...rest, url, endpoint } })
  const inAddresses = namesIn(url + endpoint)
  const taken = namesIn(JSON.stringify(configuration)).map(
    (name) => [name, environment[name] ?? ''] as const,
  )
  const written = Object.entries(env).filter(
    ([name, value]) => sensitiveName.test(name) && !/[{}]/.test(value),
  )
  const credentials = [...taken.filter(([name]) => !inAddresses.includes(name)), ...written]
    .filter(([name, value]) => !isOrdinary(value) || (passwordName.test(name) && !isAddress(value)))
    .map(([, value]) => value)
    .filter((value) => value.length >= shortestValue && !open.includes(value))
  const values = [url, endpoint, ...Object.values(env), ...Object.values(headers), open]
  const userinfo = [...values, ...taken.map(([, value]) => value)].flatMap((value) =>
    userinfoIn(value ?? ''),
  )
  return [...new Set([...credentials, ...userinfo])]
}

/** What in a header for invocations is a credential, however short. */
export function headerCredentials(name: string, value: string): string[] {
  if (!sensitiveName.test(name.replaceAll('-', '_'))) {
    return value.length < shortestValue || isOrdinary(value) ? [] : [value]
  }
  const [scheme = '', ...rest] = value.split(' ')
  const own = rest.length === 0 ? [scheme] : rest
  const basic = /^basic$/i.test(scheme) ? own.map((each) => decodedPair(each)) : []
  return [value, ...own, ...basic.flatMap((pair) => [pair, ...partsOf(pair)])].filter(
    (each) => each.length >= shortestDeclared,
  )
}

function decodedPair(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{env\.(\w+)\}/g)].map(([, name = '']) => name)
}

function isAddress(value: string): boolean {
  return address.test(value)
}

function isOrdinary(value: string): boolean {
  return isAddress(value) || words.test(value) || numbers.test(value)
}

/** The user part of every URL in a text, with its password, as they are written and decoded. */
function userinfoIn(text: string): string[] {
  return [...text.matchAll(/:\/\/([^\s/?#"'@]+)@/g)]
    .flatMap(([, pair = '']) => [pair, percentDecoded(pair)])
    .filter((pair) => !/[{}]/.test(pair))
    .flatMap((pair) => (pair.includes(':') ? [pair, ...partsOf(pair)] : [pair]))
    .filter((each) => each.length >= shortestDeclared)
}

/** The password of `user:password`. */
function partsOf(pair: string): string[] {
  const at = pair.indexOf(':')
  return at === -1 ? [] : [pair.slice(at + 1)]
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
