/** The names and texts that scenarios, verbs and checks of the runtime share. */

/** Names of the tools, one in each toolset; they are unlike anything that a runtime brings along. */
export const toolNames = ['workspace_list_items', 'workspace_list_notes'] as const

/** Fields of a callback message; `undefined` leaves the field out. */
export type Fields = Readonly<Record<string, unknown>>

/** What was waited for; the checks look for the same words. */
export const waits = {
  invocation: 'no invocation',
  surfaced: 'the authorization URL was not shown',
  given: 'the result did not reach the model',
  notified: 'no tool was notified of the cancellation',
} as const

/** An authorization URL as providers have them. */
export function authUrl(state: string): string {
  const redirect = encodeURIComponent('https://tool.example/oauth/callback')
  return `https://provider.example/oauth/authorize?response_type=code&client_id=workspace&redirect_uri=${redirect}&scope=items%3Aread&state=${state}&prompt=consent`
}

/** Fields that RAP does not name. */
export const extraFields: Fields = { version: 2, meta: { trace: [1, null] }, duration_ms: 12 }

export function textResult(token: string): Fields {
  return { text: `You have three items: one, two, three (${token}).` }
}

/** What replacements, templates, formats, shells, markup and escapes give a meaning; a text that quotes code is full of it. */
export const quotedCode =
  '$$5 $& $1 ${HOME} $(id) {{ name }} {% if %} #{x} %s %d 100%% <b class="x">a & b</b> &amp; &lt; C:\\new\\table \\" \\u0041 \\\\'
