/** How a program is given more than its own environment, without losing what it has. */

/** Variables that are lists, with what stands between two elements. */
const lists: Readonly<Record<string, string>> = {
  LD_PRELOAD: ':',
  NODE_OPTIONS: ' ',
  JAVA_TOOL_OPTIONS: ' ',
  GODEBUG: ',',
}

type Environment = Readonly<Record<string, string>>

/** The environment with additions: appended to a variable that is a list, unless it is there; any other stays as it is. */
export function withAdditions(environment: Environment, ...additions: readonly Environment[]) {
  const result: Record<string, string> = { ...environment }
  for (const [name, value] of additions.flatMap((each) => Object.entries(each))) {
    const between = lists[name]
    const old = result[name]
    if (old === undefined || old === '') result[name] = value
    else if (between !== undefined && !old.split(between).includes(value))
      result[name] = `${old}${between}${value}`
  }
  return result
}
