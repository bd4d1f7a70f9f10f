/** The commands, their options and what `--help` teaches about them. */

import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { exitCodes, exitCodeTable } from './exit-codes.ts'
import type { ExplainOptions } from './commands/explain.ts'
import type { InitOptions } from './commands/init.ts'
import type { ListName, ListOptions } from './commands/list.ts'
import type { ProviderOptions } from './commands/provider.ts'
import type { RunOptions } from './commands/run.ts'
import { groups, overrideOptions } from './overrides.ts'
import { packageInfo } from './package-info.ts'

const examples = `
Examples:
  aoc run                                        certify the reference tool of this package
  aoc init                                       write conformance.config.ts, every setting explained
  aoc run --config conformance.config.ts         certify your own
  aoc run --url http://127.0.0.1:8080 --provider-port 9000 --authority ./ca
                                                 certify something that runs already
  aoc run --filter denied-consent                only one situation, or one requirement
  aoc explain echo-call-id                       what a requirement says and how it is judged`

const exitCodeHelp = `
Exit codes:
${exitCodeTable.map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}`

const runHelp = `
Without --config and --url the reference tool of this package is certified, in a process of its own.
Options win over the configuration file. Durations: 500ms, 10s, 5m.

Each run writes results.json (the run record), junit.xml and transcripts/*.jsonl to aoc-results/<run>/.
A best-practice MUST that is broken only warns; --strict makes it fail the run.

Environment: NO_COLOR, FORCE_COLOR; AOC_DEBUG=1 shows stack traces of harness errors.`

/** Loads a command when it is asked for: `--help` needs neither suites nor servers. */
const commands = {
  run: () => import('./commands/run.ts'),
  list: () => import('./commands/list.ts'),
  explain: () => import('./commands/explain.ts'),
  init: () => import('./commands/init.ts'),
  provider: () => import('./commands/provider.ts'),
}

const lists: readonly ListName[] = ['profiles', 'scenarios', 'requirements']

/** Runs the command line and returns the exit code; what the user did wrong is thrown as a UsageError. */
export async function execute(argv: readonly string[]): Promise<number> {
  let code = 0
  const program = buildProgram((result) => {
    code = result
  })
  try {
    await program.parseAsync(argv)
    return code
  } catch (error) {
    // Commander has printed what was wrong, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

function buildProgram(done: (code: number) => void): Command {
  const program = new Command('aoc')
    .description('Certifies how agent software hands OAuth authorizations to humans and back.')
    .version(packageInfo.version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(aoc --help shows the commands and options)')
    .addHelpText('after', `${examples}\n${exitCodeHelp}`)
  addRun(program, done)
  program
    .command('list')
    .summary('show profiles, scenarios or requirements')
    .description('Shows what this suite knows.')
    .addArgument(new Argument('<what>', 'what to list').choices(lists))
    .option('--profile <id>', 'only of this profile')
    .option('--json', 'as JSON')
    .action(async (what: ListName, options: ListOptions) => {
      const { list } = await commands.list()
      done(list(what, options))
    })
  program
    .command('explain')
    .summary('show everything about one requirement')
    .description('Shows what a requirement says, where it stands, and how it is judged.')
    .argument('<requirement>', 'its id, or the last part of it')
    .option('--json', 'as JSON')
    .action(async (id: string, options: ExplainOptions) => {
      const { explain } = await commands.explain()
      done(explain(id, options))
    })
  program
    .command('init')
    .summary('write a configuration to start from')
    .description('Writes a configuration in which every setting is explained; never overwrites.')
    .argument('[file]', 'where to', 'conformance.config.ts')
    .option('--profile <id>', 'what is to be certified')
    .action(async (file: string, options: InitOptions) => {
      const { init } = await commands.init()
      done(init(file, options))
    })
  addProvider(program, done)
  return program
}

const providerHelp = `
Listens on the loopback interface only, unless --host says otherwise. Standard output ends with a line
that begins with "ready: "; with --json it is one JSON object with the issuer and what else a script needs.

Clients: a JSON list of { "clientId", "clientSecret", "redirectUris": [], "pkce", "scopes": [] ... };
a client without a secret is public. More can register at /register.
Users: a JSON list of { "subject", "name", "email" }; they can be chosen at the consent page.
Scripts decide with POST /authorize/{id}/decision, or use --auto-approve.

Examples:
  aoc provider --clients clients.json
  aoc provider --https --control                 HTTPS, and http(s)://…/_control/ with a live log
  aoc provider --fault token-error-503@client:web --fault '{"fault":"token-hang","times":1}'
  aoc provider --storage redis://127.0.0.1:6379  several instances behind a balancer`

function addProvider(program: Command, done: (code: number) => void): void {
  program
    .command('provider')
    .summary('serve the mock OAuth provider')
    .description(
      'Serves a strict mock OAuth provider that misbehaves on request, until it is stopped.',
    )
    .optionsGroup('Where it is:')
    .addOption(new Option('--port <number>', '0 takes a free one').default(9400).argParser(port))
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--issuer <url>', 'what it calls itself; the origin it is served from unless given')
    .option('--https', 'with a certificate of an authority made for this run')
    .option('--authority <dir>', 'the same, with an authority that is kept in this folder')
    .option('--cert <file>', 'with this certificate (PEM), and --key')
    .option('--key <file>', 'the private key of --cert (PEM)')
    .optionsGroup('What it knows:')
    .option('--clients <file>', 'the registered clients (JSON)')
    .option('--users <file>', 'who can sign in (JSON); alice and bob unless given')
    .option('--storage <address>', 'memory, sqlite:FILE or redis://HOST:PORT', 'memory')
    .option('--tenants', 'an issuer of its own at each /{tenant}, created on first use')
    .option('--seed <text>', 'the same values for the same requests')
    .optionsGroup('How it behaves:')
    .option('--profile <name>', 'deviate like github, google, slack, entra … (strict unless given)')
    .option('--auto-approve <subject>', 'approve everything as this user, without a page')
    .option('--fault <fault>', 'ID, ID@SCOPE or JSON; repeatable', collect)
    .option('--list-faults', 'show every fault')
    .optionsGroup('How it is watched:')
    .option('--control', 'inspection and control API, live log, OpenAPI, under /_control')
    .option('--control-token <token>', 'the same, for whoever has this bearer token')
    .option('--json', 'print one JSON line when it is ready, and nothing else')
    .addHelpText('after', providerHelp)
    .action(async (options: ProviderOptions) => {
      const { provider } = await commands.provider()
      done(await provider(options))
    })
}

function port(text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}

function addRun(program: Command, done: (code: number) => void): void {
  const command = program
    .command('run')
    .summary('certify an implementation')
    .description('Drives an implementation through every situation, judges it and reports.')
    .optionsGroup(groups.subject)
    .option('--config <file>', 'configuration, JSON or TypeScript (see: aoc init)')
  for (const option of overrideOptions()) command.addOption(option)
  command
    .optionsGroup(groups.judging)
    .option('--strict', 'let a broken best-practice MUST fail the run')
    .option(
      '--filter <text>',
      'only requirements or scenarios with this text in their id; repeatable',
      collect,
    )
    .optionsGroup(groups.output)
    .option('--output <dir>', 'write the results into this folder')
    .option('--json', 'print the run record, and nothing else, to standard output')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', `${runHelp}\n${exitCodeHelp}`)
    .action(async (options: RunOptions) => {
      const { run } = await commands.run()
      done(await run(options))
    })
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value]
}
