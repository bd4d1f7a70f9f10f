/** The commands, their options and what `--help` teaches about them. */

import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { formatIds, formatNames, type FormatId, type FormatName } from '../reports/format-names.ts'
import { exitCodes, exitCodeTable } from './exit-codes.ts'
import type { CertifyOptions } from './commands/certify.ts'
import type { CompareOptions } from './commands/compare.ts'
import type { ExplainOptions } from './commands/explain.ts'
import type { InitOptions } from './commands/init.ts'
import type { JudgeOptions } from './commands/judge.ts'
import type { KeysOptions } from './commands/keys.ts'
import type { ListName, ListOptions } from './commands/list.ts'
import type { MergeCommandOptions } from './commands/merge.ts'
import type { ReportOptions } from './commands/report.ts'
import type { ProviderOptions } from './commands/provider.ts'
import type { RunOptions } from './commands/run.ts'
import type { VerifyOptions } from './commands/verify.ts'
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
  aoc report aoc-results/RUN --format sarif      another view of a stored run
  aoc judge aoc-results/<run>                    judge a stored run again, without driving anything
  aoc explain echo-call-id                       what a requirement says and how it is judged`

const exitCodeHelp = `
Exit codes:
${exitCodeTable.map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}`

const runHelp = `
Without --config and --url the reference tool of this package is certified, in a process of its own.
Options win over the configuration file. Durations: 500ms, 10s, 5m.

Each run writes report.html, summary.md, junit.xml, results.json (the run record) and transcripts/*.jsonl
to aoc-results/<run>/; aoc report writes further formats.
A best-practice MUST that is broken only warns; --strict makes it fail the run.

Environment: NO_COLOR, FORCE_COLOR; AOC_DEBUG=1 shows stack traces of harness errors.`

const judgeHelp = `
A transcript that was changed, cut or exchanged is refused, as is a run that was interrupted or judged by another
catalogue of requirements. Findings that are not what results.json says are named on standard error.
Exit codes are those of: aoc run`

const certifyHelp = `
A certification runs everything: no filter, no baseline, one repetition, and it watches for at least 3 s for what must not
happen. The bundle holds the run record, the transcripts, the reports and attestation.json: an in-toto Statement v1 with
the test-result predicate in a DSSE envelope. It is written whatever the verdict is, and says which it is.`

const verifyHelp = `
The bundle is refused unless it is signed by the given key, holds exactly the signed files, covers the whole catalogue of
this version of the suite, has not expired, and its transcripts, judged again, give the findings that it states.

Exit codes:
  0    verified, and the verdict is conformant
  1    verified, and the verdict is another
  2    usage error, or a key that cannot be read
  5    not verified: the bundle proves nothing`

/** Loads a command when it is asked for: `--help` needs neither suites nor servers. */
const commands = {
  run: () => import('./commands/run.ts'),
  list: () => import('./commands/list.ts'),
  explain: () => import('./commands/explain.ts'),
  init: () => import('./commands/init.ts'),
  report: () => import('./commands/report.ts'),
  merge: () => import('./commands/merge.ts'),
  judge: () => import('./commands/judge.ts'),
  certify: () => import('./commands/certify.ts'),
  compare: () => import('./commands/compare.ts'),
  verify: () => import('./commands/verify.ts'),
  keys: () => import('./commands/keys.ts'),
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
  addReport(program, done)
  addMerge(program, done)
  program
    .command('judge')
    .summary('judge the transcripts of a stored run again')
    .description(
      'Judges what a run recorded again, without driving anything: the same transcripts give the same findings.',
    )
    .argument('<run...>', 'the folder of a run, or some of its transcripts/*.jsonl')
    .option('--filter <text>', 'only requirements or scenarios with this text in their id', collect)
    .option('--json', 'print the run record with the findings made again, and nothing else')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', judgeHelp)
    .action(async (paths: readonly string[], options: JudgeOptions) => {
      const { judge } = await commands.judge()
      done(judge(paths, options))
    })
  program
    .command('compare')
    .summary('put several stored runs side by side')
    .description(
      'Makes the grid implementations × requirements, and says what changed between versions.',
    )
    .argument('<run...>', 'folders of runs or bundles, or folders that hold them')
    .option('--output <dir>', 'write the pages into this folder', 'aoc-comparison')
    .option('--markdown', 'print the grid as Markdown instead')
    .action(async (paths: readonly string[], options: CompareOptions) => {
      const { compare } = await commands.compare()
      done(compare(paths, options))
    })
  addCertification(program, done)
  addProvider(program, done)
  return program
}

function addCertification(program: Command, done: (code: number) => void): void {
  const certify = program
    .command('certify')
    .summary('certify with a signed, verifiable result')
    .description(
      'Runs the whole suite with the settings of a certification and signs what came of it.',
    )
    .optionsGroup(groups.subject)
    .option('--config <file>', 'configuration, JSON or TypeScript (see: aoc init)')
  for (const option of overrideOptions()) certify.addOption(option)
  certify
    .optionsGroup(groups.judging)
    .option('--strict', 'let a broken best-practice MUST fail the run')
    .optionsGroup('Certification:')
    .option('--key <file>', 'private key, PEM or JWK (see: aoc keys generate)')
    .option('--key-env <name>', 'environment variable that holds the private key')
    .option(
      '--artifact <file>',
      'what is certified, to be named by its digest; repeatable',
      collect,
    )
    .optionsGroup(groups.output)
    .option('--output <dir>', 'write the bundle into this folder, which must be empty')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', `${certifyHelp}\n${exitCodeHelp}`)
    .action(async (options: CertifyOptions) => {
      const { certify } = await commands.certify()
      done(await certify(options))
    })
  program
    .command('verify')
    .summary('verify a certification that somebody else made')
    .description(
      'Checks the signature and every file of a bundle, and judges its transcripts again.',
    )
    .argument('<bundle>', 'the folder that aoc certify wrote')
    .option('--key <file>', 'public key of the signer, PEM or JWK')
    .option('--jwks <file or url>', 'public keys of the signer, as a JWK Set')
    .option('--json', 'print the signed statement, and nothing else')
    .addHelpText('after', verifyHelp)
    .action(async (bundle: string, options: VerifyOptions) => {
      const { verify } = await commands.verify()
      done(await verify(bundle, options))
    })
  program
    .command('keys')
    .summary('make a key pair to sign certifications with')
    .description(
      'Makes a key pair: NAME.key.pem (keep it secret), NAME.pub.pem and NAME.jwks.json.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['generate']))
    .option('--name <name>', 'path of the files, without ending', 'certification')
    .addOption(
      new Option('--type <type>', 'signature algorithm')
        .choices(['ed25519', 'es256'])
        .default('ed25519'),
    )
    .action(async (_: string, options: KeysOptions) => {
      const { generate } = await commands.keys()
      done(await generate(options))
    })
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
    .addOption(
      new Option(
        '--repeat <n>',
        'run so often and report every check whose verdict differed',
      ).argParser(atLeastTwo),
    )
    .option(
      '--shard <i/n>',
      'only every n-th scenario, beginning with the i-th; join with: aoc merge',
      shardOf,
    )
    .option('--baseline <file>', 'known findings, which do not fail the run; must be up to date')
    .option(
      '--update-baseline',
      'write that file anew; new entries lack a reason until you give one',
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

const reportHelp = `
RUN is the folder of a run, or its results.json. Formats (html without --format; all of them: all):
${formatIds.map(formatLine).join('\n')}

Examples:
  aoc report aoc-results/RUN                             report.html beside results.json
  aoc report RUN --format sarif --format badge           two files
  aoc report RUN --format markdown --output -            to standard output
  aoc report RUN --format tap --output build/oauth.tap   to a file of that name`

function formatLine(id: FormatId): string {
  const { file, describes }: FormatName = formatNames[id]
  return `  ${id.padEnd(10)}${file.padEnd(15)}${describes}`
}

function collectFormat(value: string, previous: readonly string[] | undefined): readonly string[] {
  const known: readonly string[] = [...formatIds, 'all']
  if (!known.includes(value)) throw new InvalidArgumentError(`Expected one of ${known.join(', ')}.`)
  return collect(value, previous)
}

function addReport(program: Command, done: (code: number) => void): void {
  program
    .command('report')
    .summary('write reports of a stored run')
    .description('Writes views of a run that was stored by run or merge; nothing is run again.')
    .argument('<run>', 'folder of the run')
    .option('--format <format>', `${[...formatIds, 'all'].join(', ')}; repeatable`, collectFormat)
    .option('--output <path>', 'a folder, a file for one format, or - for standard output')
    .addHelpText('after', reportHelp)
    .action(async (path: string, options: ReportOptions) => {
      const { report } = await commands.report()
      done(report(path, options))
    })
}

const mergeHelp = `
The shards must be of one configuration and one catalogue, each exactly once: an overlap or a gap is refused.
Their recordings are put together and judged as one; the result is what a single run would have written.

Example:
  aoc run --config c.json --shard 1/2 --output shards/1     on one machine
  aoc run --config c.json --shard 2/2 --output shards/2     on another one
  aoc merge shards/1 shards/2 --output merged`

function addMerge(program: Command, done: (code: number) => void): void {
  program
    .command('merge')
    .summary('join the shards of a run')
    .description('Joins runs made with --shard into one run record with all reports.')
    .argument('<shard...>', 'folders of the shards')
    .option('--baseline <file>', 'known findings, which do not fail the run; must be up to date')
    .option('--update-baseline', 'write that file anew')
    .option('--output <dir>', 'write the results into this folder')
    .option('--json', 'print the run record, and nothing else, to standard output')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', `${mergeHelp}\n${exitCodeHelp}`)
    .action(async (paths: readonly string[], options: MergeCommandOptions) => {
      const { merge } = await commands.merge()
      done(merge(paths, options))
    })
}

function shardOf(value: string): { readonly index: number; readonly of: number } {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? []).map(Number)
  if (index < 1 || index > of) {
    throw new InvalidArgumentError('Expected I/N with I from 1 to N, for example 2/4.')
  }
  return { index, of }
}

function atLeastTwo(value: string): number {
  if (!/^\d{1,4}$/.test(value) || Number(value) < 2) {
    throw new InvalidArgumentError('Expected a number from 2 to 9999.')
  }
  return Number(value)
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value]
}
