import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authorityFiles, keptAuthority } from './kept-authority.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'authority-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('an authority is made once, and is the same afterwards', async () => {
  const directory = join(root, 'new', 'folder')
  const made = await keptAuthority(directory)
  expect(readFileSync(join(directory, authorityFiles.certificate), 'utf8')).toBe(made.caPem)
  const read = await keptAuthority(directory)
  expect([read.caPem, read.keyPem]).toEqual([made.caPem, made.keyPem])
})

test('what was read again issues certificates that the kept certificate vouches for', async () => {
  await keptAuthority(root)
  const authority = await keptAuthority(root)
  const { cert } = await authority.issue(['localhost'])
  const ca = new X509Certificate(readFileSync(join(root, authorityFiles.certificate)))
  const leaf = new X509Certificate(cert)
  expect(leaf.checkIssued(ca)).toBe(true)
  expect(leaf.verify(ca.publicKey)).toBe(true)
})

test('the key is for its owner alone', async () => {
  const directory = join(root, 'folder')
  await keptAuthority(directory)
  expect(statSync(join(directory, authorityFiles.key)).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test('half an authority is none', async () => {
  const made = await keptAuthority(root)
  rmSync(join(root, authorityFiles.key))
  const again = await keptAuthority(root)
  expect(again.caPem).not.toBe(made.caPem)
  expect(readFileSync(join(root, authorityFiles.certificate), 'utf8')).toBe(again.caPem)
})

test('a broken one is an error, and stays as it is', async () => {
  await keptAuthority(root)
  const file = join(root, authorityFiles.certificate)
  writeFileSync(file, 'no certificate')
  await expect(keptAuthority(root)).rejects.toThrow(Error)
  expect(readFileSync(file, 'utf8')).toBe('no certificate')
})
