/** Loaded before a program (`node --import`): appends the URL of every module that it loads to the file LOADED_MODULES. */

import { appendFileSync } from 'node:fs'
import { register } from 'node:module'

const hooks = `
  import { appendFileSync } from 'node:fs'
  export async function load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n')
    return nextLoad(url, context)
  }
`
appendFileSync(process.env.LOADED_MODULES, '')
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
