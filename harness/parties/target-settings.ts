/** How the implementation under test is started and reached, as its vendor configures it. */

import { z } from 'zod'
import { duration } from '../engine/configuration.ts'

const origin = z
  .url()
  .refine(
    (value) => new URL(value).origin === value,
    'expected an origin such as "https://tool.example"',
  )

/** What other placeholders stand for is not known yet. */
function isWebAddress(template: string): boolean {
  const url = template.replaceAll('{port}', '1')
  return url.includes('{') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
}

/** The settings of the implementation under test. */
export const targetSchema = z
  .strictObject({
    url: z
      .string()
      .refine(isWebAddress, 'expected an address such as "http://127.0.0.1:8080"')
      .default('http://127.0.0.1:{port}')
      .describe('Base URL of the implementation. {port} is a free port, chosen for each start.')
      .meta({ flag: '--url <url>', help: 'base URL of an implementation that runs already' }),
    command: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'Program and arguments that start it; no shell. Without it, it must be running already.',
      ),
    cwd: z
      .string()
      .optional()
      .describe('Working directory of the command; default: the folder of the configuration file.')
      .meta({ example: '..' }),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment of the command, with placeholders such as {port}.'),
    module: z
      .string()
      .optional()
      .describe('A module that exports a fetch handler, run inside this process without any port.')
      .meta({ example: './handler.js' }),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe('Headers that it demands, for example {"authorization": "Bearer {env.API_KEY}"}.')
      .meta({
        flag: '--header <header>',
        reads: 'headers',
        help: "header that it demands, 'Name: value' with {env.NAME} for secrets; repeatable",
      }),
    origins: z
      .record(origin, origin)
      .default({})
      .describe('Public origin → origin under which it is reached from here.'),
    ca: z
      .string()
      .optional()
      .describe('PEM file of the authority that signed the certificate of an https target.')
      .meta({
        flag: '--ca <file>',
        reads: 'path',
        help: 'PEM file of the authority behind an https --url',
        example: './ca.pem',
      }),
    readyTimeout: duration
      .default(15_000)
      .describe('How long it may take until it answers at all.'),
    stopTimeout: duration.default(2_000).describe('How long it may take to end after SIGTERM.'),
  })
  .refine((target) => !(target.command && target.module), 'give either command or module, not both')
  .refine(
    (target) => target.command || target.module || !target.url.includes('{port}'),
    'a target without command or module needs a url without {port}',
  )

/** How the implementation is started and reached. */
export type TargetConfiguration = z.infer<typeof targetSchema>

/** For profiles that have scenarios about time. */
export const clock = z
  .enum(['real', 'jump'])
  .default('real')
  .describe(
    'How time passes in scenarios about it: really, or by moving the clock of an instance of their own together with that of its provider (libfaketime, Linux).',
  )
  .meta({
    flag: '--clock <real|jump>',
    help: 'whether scenarios about time wait, or move the clock of an instance of their own',
  })

interface Timed {
  readonly clock: 'real' | 'jump'
  readonly command?: readonly string[] | undefined
  readonly url: string
}

/** A clock is moved where instances are started, and can stand beside each other. */
export const canBeMoved = ({ clock: by, command, url }: Timed): boolean =>
  by === 'real' || (command !== undefined && url.includes('{port}'))

/** What is said where it cannot be moved. */
export const onlyMoved = {
  path: ['clock'],
  message:
    'jump needs a command and {port} in url, because scenarios about time run on an instance of their own',
}
