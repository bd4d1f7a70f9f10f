/** A URL as long as authorization requests are that carry a signed request object (RFC 9101): its end matters as much. */

import { asNotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { check, opensExactly } from '../checks.ts'
import { showsFullUrl } from '../prompts.ts'
import { control, scenario } from './define.ts'

/** Characters; RFC 9110 §4.1 recommends to support twice as many. */
const length = 4000

/** A client may refuse what is longer than it takes. */
const longPrompt: Need = {
  what: `a prompt for a URL of ${length} characters`,
  seen: () => undefined,
}

export const longUrl = scenario({
  id: 'long-url',
  title: `the server asks for a URL of ${length} characters, and the user agrees`,
  control,
  needs: longPrompt,
  async drive({ open }) {
    const client = await open()
    const [begin, end] = [
      `${client.site}/connect?e=long&request=`,
      '&back=https%3A%2F%2Fapp.example',
    ]
    const call = await client.begin({ url: begin.padEnd(length - end.length, 'e30') + end })
    await call.ask()
    await call.prompted().catch(asNotOffered)
    await call.accept()
    await call.replied()
    await call.finish()
  },
  checks: [
    check('mcp-url-elicitation/client/show-full-url', 'shows all of a long URL', showsFullUrl),
    check('mcp-url-elicitation/client/open-exact-url', 'opens all of it', opensExactly),
  ],
})
