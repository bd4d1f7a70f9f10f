import { describe, expect, test } from 'vitest'
import { Unreached } from '../../../harness/engine/index.ts'
import type { McpClient, Reply } from '../wire/client.ts'
import { toolSchema } from './configuration.ts'
import { findTool, mirroredArguments } from './discovery.ts'

const configured = (tool: object = {}) => ({ tool: toolSchema.parse(tool) })

/** A server that answers `tools/list` page by page. */
function listing(...pages: readonly unknown[]) {
  let page = 0
  const asked: unknown[] = []
  const client = {
    request: (_: string, params: { cursor?: string }): Promise<Reply> => {
      asked.push(params.cursor)
      const result = pages[page++]
      return Promise.resolve(
        result === undefined
          ? { kind: 'none', reason: 'HTTP 500' }
          : { kind: 'result', value: {}, id: 1, result },
      )
    },
  } as unknown as McpClient
  return { asked, connect: () => Promise.resolve(client) }
}

const tool = (name: string, ...required: string[]) => ({ name, inputSchema: { required } })

describe('the tool to call', () => {
  test('is the configured one, and nobody is asked', async () => {
    const connect = () => Promise.reject(new Error('asked'))
    const found = await findTool(configured({ name: 'list', arguments: { limit: 1 } }), connect)
    expect(found).toEqual({ name: 'list', arguments: { limit: 1 } })
  })

  test('is the only one', async () => {
    const { connect } = listing({ tools: [tool('search', 'query')] })
    expect(await findTool(configured(), connect)).toEqual({ name: 'search', arguments: {} })
  })

  test('is the first one that needs no other argument, on whichever page', async () => {
    const { connect, asked } = listing(
      { tools: [tool('search', 'query'), 'junk', { name: 7 }], nextCursor: 'more' },
      { tools: [tool('list'), tool('other')] },
    )
    expect(await findTool(configured(), connect)).toMatchObject({ name: 'list' })
    expect(asked).toEqual([undefined, 'more'])
    const again = listing({ tools: [tool('search', 'query'), tool('list')] })
    const query = configured({ arguments: { query: 'x' } })
    expect(await findTool(query, again.connect)).toMatchObject({ name: 'search' })
  })

  test.each([
    ['nothing is listed', [{ tools: [] }], /no tool/],
    ['all need arguments', [{ tools: [tool('a', 'x'), tool('b', 'y')] }], /no argument/],
    ['the list is none', [{ tools: 7 }], /no tool/],
    ['there is no answer', [], /HTTP 500/],
  ])('is not known where %s', async (_, pages, why) => {
    const { connect } = listing(...pages)
    const finding = findTool(configured(), connect)
    await expect(finding).rejects.toThrow(why)
    await expect(finding).rejects.toBeInstanceOf(Unreached)
  })
})

describe('arguments that headers repeat', () => {
  const marked = {
    name: 'list',
    inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  }
  const settings = (given: object, more: object) => ({
    ...configured({ name: 'list', arguments: given }),
    ...more,
  })
  const modern = { declares: { modern: true } }

  test('are learnt from the list, where the tool is configured by its name', async () => {
    const { connect } = listing({ tools: [tool('other'), marked] })
    const found = await findTool(settings({ region: 'eu' }, modern), connect)
    expect(found.parameterHeaders).toEqual([{ header: 'Region', path: ['region'] }])
    expect(mirroredArguments(found, '2026-07-28', found.arguments)).toEqual({
      'mcp-param-region': 'eu',
    })
    expect(mirroredArguments(found, '2025-11-25', found.arguments)).toEqual({})
  })

  test('are not asked for where there are none, or no revision repeats them', async () => {
    const connect = () => Promise.reject(new Error('asked'))
    expect(await findTool(settings({}, modern), connect)).not.toHaveProperty('parameterHeaders')
    const older = await findTool(settings({ region: 'eu' }, {}), connect)
    expect(older).not.toHaveProperty('parameterHeaders')
  })

  test('are none where nothing is listed', async () => {
    const found = await findTool(settings({ region: 'eu' }, modern), listing().connect)
    expect(found).toEqual({ name: 'list', arguments: { region: 'eu' } })
  })
})
