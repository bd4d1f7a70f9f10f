/** `aoc keys generate`: a key pair to sign certifications with. */

import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  generateKeys,
  keyId,
  publicJwk,
  readPrivateKey,
  type KeyType,
} from '../../reports/index.ts'
import { terminalOf } from '../print/terminal.ts'
import { messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { makeFolder } from '../outcome/make-folder.ts'

export interface KeysOptions {
  readonly name: string
  readonly type: KeyType
}

/** Writes the three files of a key pair; never overwrites one. @throws {@link UsageError} */
export async function generate({ name, type }: KeysOptions): Promise<number> {
  const { privateKey, publicKey } = generateKeys(type)
  const key = readPrivateKey(privateKey)
  const jwks = JSON.stringify({ keys: [await publicJwk(key)] }, undefined, 2)
  const files = [
    { file: `${name}.key.pem`, text: privateKey, mode: 0o600 },
    { file: `${name}.pub.pem`, text: publicKey, mode: 0o644 },
    { file: `${name}.jwks.json`, text: `${jwks}\n`, mode: 0o644 },
  ]
  const taken = files.find(({ file }) => existsSync(file))
  if (taken) throw new UsageError(`${taken.file} exists already and was not changed`)
  try {
    makeFolder(dirname(name))
    for (const { file, text, mode } of files) writeFileSync(file, text, { flag: 'wx', mode })
  } catch (error) {
    throw new UsageError(`cannot write the keys: ${messageOf(error)}`)
  }
  const terminal = terminalOf(process.stdout)
  terminal.line(`${name}.key.pem    the private key: keep it secret`)
  terminal.line(`${name}.pub.pem    the public key, for those who verify`)
  terminal.line(`${name}.jwks.json  the same as a JWK Set`)
  terminal.line(`key id ${await keyId(key)}`)
  return 0
}
