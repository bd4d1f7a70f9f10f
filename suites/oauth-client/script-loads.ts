/** What an inline script loads as soon as it is run, as far as its text tells without running it. */

/** What an immediately invoked function is wrapped in. */
const wrapped =
  /^[\s;!(]*(?:async\s+)?(?:function\b[^(){}]{0,100}\([^(){}]{0,200}\)|\([^(){}]{0,200}\)\s*=>)\s*\{([^]*)\}[\s)]*\([^()]{0,200}\)[\s);]*$/

/** What makes it a question whether, or when, the rest of a statement is run. */
const conditional = /=>|\?|&&|\|\||\b(?:function|if|else|for|while|case|catch|class)\b/

/** An image that gets a name before its URL. */
const namedImage =
  /\b(\w{1,100})\s{0,20}=\s{0,20}new\s{1,20}Image\b[^;\n]{0,100}[;\n]\s{0,100}\1\.src\b/g

const strings = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`/g

const quoted = '([\'"`])((?:(?:https?|wss?):)?\\/\\/[^\'"`\\s$\\\\]{1,2000})'

const loads = [
  `\\bfetch\\(\\s{0,20}${quoted}`,
  `\\bsendBeacon\\(\\s{0,20}${quoted}`,
  `\\bnew\\s{1,20}(?:WebSocket|EventSource)\\(\\s{0,20}${quoted}`,
  `\\bnew\\s{1,20}Image\\b[^;\\n]{0,200}\\.src\\s{0,20}=\\s{0,20}${quoted}`,
  `^\\s{0,20}import\\b[^'"\`;]{0,500}${quoted}`,
].map((each) => new RegExp(each))

/** The URLs, absolute or without their scheme; none where it is a question how far the script is run. */
export function loadsOf(script: string): string[] {
  const text = script.replaceAll('\\/', '/').replaceAll(namedImage, 'new Image().src')
  const [, body = text] = wrapped.exec(text) ?? []
  if (/\b(?:return|throw)\b/.test(body)) return []
  return statementsOf(body).flatMap((statement) =>
    loads.flatMap((pattern) => {
      const found = pattern.exec(statement)
      const before = statement.slice(0, found?.index).replaceAll(strings, '')
      const isCertain = found !== null && !conditional.test(before) && !/["'`]/.test(before)
      return isCertain ? [found[2] ?? ''] : []
    }),
  )
}

/** The statements outside of all braces; none where the braces do not match, as where one is read that is in a literal. */
function statementsOf(script: string): string[] {
  const found = ['']
  let depth = 0
  for (const [token] of script.matchAll(tokens)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    if (depth < 0) return []
    if (depth > 0) continue
    // After a block begins another statement, or goes on what it belongs to.
    if (token === ';' || token === '\n') found.push('')
    else found[found.length - 1] += token
  }
  return depth === 0 ? found : []
}

/** Comments, strings, what begins or ends something, and everything else. */
const tokens =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?|[{};\n]|[^"'`{};\n/]+|\//g
