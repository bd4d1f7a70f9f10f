import { expect, test } from 'vitest'
import { describeChecks, judge, recording } from '../testing.ts'
import { manifest } from './manifest.ts'

const tool = {
  name: 'list_items',
  description: 'Lists the items',
  inputSchema: { type: 'object' },
  annotations: { requiresAuth: 'example' },
}
const document = { name: 'items', endpoint: 'http://127.0.0.1:4100/rap', tools: [tool] }

const served = (value: unknown, status = 200) =>
  recording().discover({ status, text: JSON.stringify(value) })
const withSchema = (inputSchema: unknown) => withTools({ ...tool, inputSchema })
const withTools = (...tools: unknown[]) => served({ ...document, tools })

describeChecks(manifest, {
  'rap-oauth/tool/manifest-valid': {
    pass: {
      valid: served(document),
      'with members of its own': served({ ...document, vendor: { x: 1 } }),
      'with everything that is optional': served({
        ...document,
        needsMigration: false,
        tools: [{ ...tool, displayScript: 'args.a', annotations: { readOnly: true, 'x-a': 1 } }],
      }),
      'what is optional is null': served({
        ...document,
        description: null,
        needsMigration: null,
        tools: [
          { ...tool, annotations: { ...tool.annotations, destructive: null } },
          { ...tool, name: 'of-nobody', annotations: { requiresAuth: null } },
          { ...tool, name: 'without', annotations: null },
        ],
      }),
      'a name with letters of another script': withTools({ ...tool, name: 'Liste_öffnen-2' }),
      'a name with a namespace': withTools({ ...tool, name: 'items/list.all:now' }),
      'a schema without any keyword': withSchema({}),
      'a schema of today': withSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: ['object', 'null'],
        properties: { a: true, b: { $ref: '#/$defs/b' }, c: { type: 'array', prefixItems: [{}] } },
        required: [],
        additionalProperties: false,
        $defs: { b: { type: 'integer', exclusiveMinimum: 0 } },
        'x-vendor': 1,
      }),
      'a schema of draft 4': withSchema({
        $schema: 'http://json-schema.org/draft-04/schema#',
        properties: { a: { minimum: 0, exclusiveMinimum: true }, b: { items: [{}, {}] } },
      }),
      'a schema of a draft that nobody knows': withSchema({
        $schema: 'http://json-schema.org/draft-03/schema#',
        properties: { a: { required: true } },
      }),
    },
    violation: {
      '404': served(document, 404),
      'a redirect': served(document, 302),
      'no JSON': recording().discover({ status: 200, text: '<html>' }),
      'no endpoint': served({ ...document, endpoint: undefined }),
      'an endpoint that is no URL': served({ ...document, endpoint: '/rap' }),
      'no tools': withTools(),
      'a tool without a schema': withTools({ ...tool, inputSchema: undefined }),
      'a name with spaces': withTools({ ...tool, name: 'list items' }),
      'a name with a special character': withTools({ ...tool, name: 'items/list;x' }),
      'a name with a control character': withTools({ ...tool, name: 'list\u0000' }),
      'an annotation that is no boolean': withTools({ ...tool, annotations: { readOnly: 'yes' } }),
      'a script that is none': withTools({ ...tool, displayScript: 1 }),
      'a migration that is no boolean': served({ ...document, needsMigration: 'no' }),
      'a schema that is true': withSchema(true),
      'a type that does not exist': withSchema({ type: 'objekt' }),
      'a type that does not exist, further down': withSchema({
        properties: { a: { anyOf: [{ type: ['string', 'int'] }] } },
      }),
      'required that is no list': withSchema({ properties: { a: { required: true } } }),
      'properties that are a list': withSchema({ properties: ['a'] }),
      'a name of 129 characters': withTools({ ...tool, name: 'x'.repeat(129) }),
      'a name that comes twice': withTools(tool, tool),
    },
    inconclusive: {
      'no connection': recording().discover('refused'),
      'no answer': recording().discover('open'),
      'not asked': recording(),
      '401': served(document, 401),
      '403': served(document, 403),
    },
  },
  'rap-oauth/tool/requires-auth-annotation': {
    pass: {
      annotated: served(document),
      'one of two': withTools(tool, { ...tool, name: 'ping', annotations: {} }),
    },
    violation: {
      'no annotations': withTools({ ...tool, annotations: undefined }),
      'other annotations': withTools({ ...tool, annotations: { readOnly: true } }),
    },
    inconclusive: {
      'an invalid document': withTools(),
      'an empty annotation': withTools({ ...tool, annotations: { requiresAuth: '' } }),
      'no answer': recording().discover('refused'),
      'not asked': recording(),
    },
  },
})

test('the message says where a schema is invalid', () => {
  const found = judge(
    manifest,
    'rap-oauth/tool/manifest-valid',
    withSchema({ properties: { a: { type: 'text' } } }),
  )
  expect(found.message).toMatch(/invalid at tools\.0\.inputSchema\.properties\.a\.type/)
})

test('the message says where the document is invalid', () => {
  const found = judge(manifest, 'rap-oauth/tool/manifest-valid', withTools({ ...tool, name: '' }))
  expect(found.message).toBe('the discovery document is invalid at tools.0.name')
})
