/** What `aoc run` says about tools that are correct and unlike ours, through the built package. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunRecord } from '../reports/index.ts'
import { certify, requirementsWith } from './run-cli.ts'
import * as tools from './third-party.ts'

const toolKey = 'key-of-the-vendor-0123456789'

function expectConformant(code: number | null, record: RunRecord): void {
  expect(record.findings.filter((each) => each.verdict === 'fail')).toEqual([])
  expect(record.findings.filter((each) => each.verdict === 'inconclusive')).toEqual([])
  expect(record.failures).toEqual([])
  expect({ code, verdict: record.verdict }).toEqual({ code: 0, verdict: 'conformant' })
}

test('a tool that every request reaches only after a second', async () => {
  const { code, record } = await certify(tools.slowTool)
  expectConformant(code, record)
  expect(requirementsWith(record, 'warn')).toEqual([])
})

test('plain node:http, by command', async () => {
  const { code, record } = await certify(tools.plainNode)
  expectConformant(code, record)
  expect(requirementsWith(record, 'warn')).toEqual([])
})

test('Python, which learns its provider from the 401 challenge and pushes its requests', async () => {
  const { code, record } = await certify(tools.python)
  expectConformant(code, record)
  expect(requirementsWith(record, 'warn')).toEqual([])
})

test('a tool that wants its own credential, which is in no artefact', async () => {
  const { code, record, folder } = await certify(tools.ownAuth, { env: { TOOL_KEY: toolKey } })
  expectConformant(code, record)
  expect(requirementsWith(record, 'warn')).toEqual([])
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(toolKey)
  }
})

test('a redirect URI that differs for every call is a best-practice warning of its own', async () => {
  const { code, record } = await certify(tools.queryRedirect)
  expectConformant(code, record)
  expect(requirementsWith(record, 'warn')).toEqual(['stable-redirect-uri'])
})
