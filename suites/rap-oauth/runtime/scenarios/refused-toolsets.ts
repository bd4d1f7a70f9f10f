/** Toolsets that have to be refused: invalid ones as a whole, and of tools with one name all. */

import {
  cite,
  inconclusive,
  jsonOf,
  NotOffered,
  pass,
  violation,
  type Need,
  type Recorded,
  type RequestEvent,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { check, type Judge } from '../judges/check.ts'
import { describe } from '../toolsets.ts'
import type { ToolDescription, ToolsetChange, ToolsetDocument } from '../toolset-server.ts'
import { toolNames } from '../vocabulary.ts'
import { isAfter, waitedInVain } from '../view.ts'
import type { Declared } from '../configuration.ts'
import { controls, goOn, scenario } from './define.ts'
import { describedAnew } from './fresh-toolsets.ts'

const unheard = 'the model was not asked'

/** How the tools are described that must not be offered, in their new form alone: what is cached may stay in use. */
export const refused = describe('items, of which this toolset must not be used,')

const renewed = ({ tools, ...rest }: ToolsetDocument) => ({
  ...rest,
  tools: tools.map((tool) => ({ ...tool, description: refused })),
})

const asItIs: ToolsetChange = (document) => document

/** A document whose first tool is fine, and which has others. */
const withTools =
  (...changes: readonly ((tool: ToolDescription) => object)[]): ToolsetChange =>
  (document) => {
    const { tools, ...rest } = renewed(document)
    const others = tools.slice(0, 1).map((tool) => ({ ...tool, name: 'another' }))
    return { ...rest, tools: [...tools, ...changes.flatMap((change) => others.map(change))] }
  }

interface Case {
  readonly id: string
  readonly title: string
  readonly requirement:
    'rap-oauth/runtime/reject-invalid-toolset' | 'rap-oauth/runtime/reject-colliding-tools'
  readonly changes: readonly ToolsetChange[]
}

const invalid = 'rap-oauth/runtime/reject-invalid-toolset'

const cases: readonly Case[] = [
  {
    id: 'toolset-tool-without-schema',
    title: 'a toolset of which one tool has no inputSchema',
    requirement: invalid,
    changes: [withTools((tool) => ({ ...tool, inputSchema: undefined }))],
  },
  {
    id: 'toolset-tool-without-description',
    title: 'a toolset of which one tool has no description',
    requirement: invalid,
    changes: [withTools((tool) => ({ ...tool, description: undefined }))],
  },
  {
    id: 'toolset-tool-with-invalid-schema',
    title: 'a toolset of which one tool has an inputSchema whose properties are a text',
    requirement: invalid,
    changes: [
      withTools((tool) => ({ ...tool, inputSchema: { type: 'object', properties: 'none' } })),
    ],
  },
  {
    id: 'toolset-tool-named-twice',
    title: 'a toolset that has two tools of one name',
    requirement: invalid,
    changes: [
      withTools(
        (tool) => tool,
        (tool) => tool,
      ),
    ],
  },
  {
    id: 'toolset-tool-name-with-blank',
    title: 'a toolset of which one tool has a blank in its name',
    requirement: invalid,
    changes: [withTools((tool) => ({ ...tool, name: 'another tool' }))],
  },
  {
    id: 'toolset-tool-name-too-long',
    title: 'a toolset of which one tool has a name of 129 characters',
    requirement: invalid,
    changes: [withTools((tool) => ({ ...tool, name: 'a'.repeat(129) }))],
  },
  {
    id: 'toolset-without-name',
    title: 'a toolset without a name',
    requirement: invalid,
    changes: [(document) => ({ ...renewed(document), name: undefined })],
  },
  {
    id: 'toolset-endpoint-no-url',
    title: 'a toolset whose endpoint is not a URL',
    requirement: invalid,
    changes: [(document) => ({ ...renewed(document), endpoint: 'invoke it' })],
  },
  {
    id: 'toolsets-with-one-name',
    title: 'two toolsets that have a tool of the same name',
    requirement: 'rap-oauth/runtime/reject-colliding-tools',
    changes: [
      renewed,
      (document) => {
        const twins = renewed(document).tools.map((tool) => ({ ...tool, name: toolNames[0] }))
        return { ...document, tools: [...document.tools, ...twins] }
      },
    ],
  },
]

/** What a conversation that begins afterwards fetches; RAP leaves open what a session is beyond its root thread. */
const fetchedAnew: Need = {
  what: 'toolsets that are fetched for another conversation',
  seen(run) {
    const t = run.get('toolset-changed')
    return t && describedAnew(t)
  },
}

export const refusedToolsetScenarios = cases.map(({ id, title, requirement, changes }) =>
  scenario({
    id,
    title: `${title}, and another conversation begins`,
    control: controls.plain,
    ownInstance: true,
    needs: fetchedAnew,
    notApplicable: ({ multipliable }: Declared) =>
      multipliable ? undefined : 'the harness cannot start another instance of this runtime',
    async drive({ ownToolsets }) {
      const { converse, observe, alterToolsets } = await ownToolsets()
      const first = converse().ask()
      await first.awaitInvocation()
      await first.awaitGiven(await first.result())
      alterToolsets(...toolNames.map((_, index) => changes[index] ?? asItIs))
      const conversation = converse()
      const second = conversation.ask()
      // Who reports the error may begin no conversation at all.
      await goOn(conversation.awaitModel(second.reference, unheard))
      await observe()
      if (!fetched(second.transcript(), changes.length))
        throw new NotOffered('it has not fetched the toolsets for the second conversation')
    },
    checks: [
      check(requirement, `offers the model nothing of ${title}`, offersNothing(changes.length)),
    ],
  }),
)

/** The requests for the discovery documents that are wrong, of so many toolsets; nothing where one was not made. */
function fetched(t: Transcript, count: number): Recorded<RequestEvent>[] | undefined {
  const [altered] = t.steps('toolsets-altered')
  const urls = (altered?.detail['urls'] ?? []) as readonly string[]
  const all = urls
    .slice(0, count)
    .map((url) =>
      t
        .requests('discovery')
        .find((each) => isAfter(each, altered) && each.url === `${url}/.well-known/rap-toolset`),
    )
  const made = all.filter((each) => each !== undefined)
  return made.length === count ? made : undefined
}

function offersNothing(count: number): Judge {
  return (t) => {
    const [altered] = t.steps('toolsets-altered')
    const documents = fetched(t, count)
    if (!altered || !documents) return inconclusive('the toolsets were not fetched afterwards')
    const later = t.requests('model').filter((each) => isAfter(each, altered))
    const offering = later.find(({ body }) => JSON.stringify(jsonOf(body))?.includes(refused))
    if (offering) {
      return violation(
        'the model is offered tools that have to be refused: validate every toolset, and refuse it as a whole',
        { expected: 'nothing of them', actual: refused },
        cite(...documents, offering),
      )
    }
    const [asked] = later
    if (!asked && waitedInVain(t, unheard, 'call-1') === undefined)
      return inconclusive('the model was not waited for')
    return pass('it was offered nothing of them', cite(...documents, asked))
  }
}
