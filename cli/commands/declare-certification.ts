/** `keys`, `certify`, `time-stamp`, `withdraw` and `verify`: results that others can check. */

import { Argument, InvalidArgumentError, Option } from 'commander'
import { nonceShape } from '../../harness/engine/names.ts'
import type { CertifyOptions } from './certify.ts'
import type { KeysOptions } from './keys.ts'
import type { TimeStampOptions } from './time-stamp.ts'
import type { VerifyOptions } from './verify.ts'
import type { WithdrawOptions } from './withdraw.ts'
import { groups } from '../configuration/option-groups.ts'
import { addSettings, collect, exitCodeHelp, type Declare } from './declare.ts'

const certifyHelp = `
A certification runs everything: no filter, no baseline, one repetition, and it watches for at least 3 s for what must not
happen. The bundle holds the run record, the transcripts, the reports and attestation.json: an in-toto Statement v1 with
the test-result predicate in a DSSE envelope. It is written whatever the verdict is, and says which it is.`

const verifyHelp = `
The bundle is refused unless it is signed by the given key, holds exactly the signed files, covers the whole catalogue of
this version of the suite, has not expired, and its transcripts, judged again, give the findings that it states.

With --rerun, the certified configuration is run again against the instance at --url, or as --config says. Nothing that the
bundle names is started or read. A check that cannot be repeated that way (a restart of what you do not start) is counted.

Exit codes:
  0    verified, and the verdict is conformant
  1    verified, and the verdict is another
  2    usage error, or a key that cannot be read
  5    not verified: the bundle proves nothing, or run again a check gave another verdict`

function readNonce(text: string): string {
  if (nonceShape.test(text)) return text
  throw new InvalidArgumentError('Expected 16 to 128 letters, digits, or any of . _ ~ -')
}

function readDigest(text: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError(
    'Expected sha256: and 64 hexadecimal digits, as aoc verify prints.',
  )
}

export const declareCertification: Declare = async (program, done, asked) => {
  const certify = program
    .command('certify')
    .summary('certify with a signed, verifiable result')
    .description('Runs the whole suite with the settings of a certification and signs the result.')
    .optionsGroup(groups.subject)
    .option('--config <file>', 'configuration, JSON or TypeScript (see: aoc init)')
  await addSettings(certify, asked)
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
    .addOption(
      new Option(
        '--nonce <text>',
        'what a relying party gave, to show that the run is no older',
      ).argParser(readNonce),
    )
    .option('--register <file>', 'append this attempt, and how it ended, to this register')
    .optionsGroup(groups.output)
    .option('--output <dir>', 'write the bundle into this folder, which must be empty')
    .option('--quiet', 'print the verdict only')
    .addHelpText('after', `${certifyHelp}\n${exitCodeHelp}`)
    .action(async (options: CertifyOptions) => {
      const { certify } = await import('./certify.ts')
      done(await certify(options))
    })
  const verifying = program
    .command('verify')
    .summary('verify a certification that somebody else made')
    .description(
      'Checks the signature and every file of a bundle, and judges its transcripts again.',
    )
    .argument('<bundle>', 'the folder that aoc certify wrote')
    .option('--key <file>', 'public key of the signer, PEM or JWK')
    .option('--jwks <file or url>', 'public keys of the signer, as a JWK Set')
    .option('--artifact <file>', 'what was certified: compared by its digest; repeatable', collect)
    .addOption(
      new Option(
        '--nonce <text>',
        'what you gave the vendor: the run must have been made for it',
      ).argParser(readNonce),
    )
    .option(
      '--time-stamp-authority <file>',
      'PEM certificate of the authority whose time stamp the bundle must have',
    )
    .option(
      '--register <file or url>',
      'register of the signer: it must stand there, and not be withdrawn',
    )
    .addOption(
      new Option(
        '--register-head <digest>',
        'a head that you kept of that register: it must still contain that line',
      ).argParser(readDigest),
    )
    .option('--json', 'print the signed statement, and nothing else')
    .optionsGroup('Run again:')
    .option('--rerun', 'run it again against an instance of yours, and compare check by check')
    .option('--config <file>', 'what your instance needs: its address, ports and secrets')
    .option('--output <dir>', 'write the results of that run into this folder')
    .addHelpText('after', verifyHelp)
    .action(async (bundle: string, options: VerifyOptions) => {
      const { verify } = await import('./verify.ts')
      done(await verify(bundle, options))
    })
  await addSettings(verifying, asked)
  program
    .command('time-stamp')
    .summary('let an authority state when a certification existed')
    .description(
      'Asks a time stamp authority (RFC 3161) for a time stamp over attestation.json and puts it beside it.',
    )
    .argument('<bundle>', 'the folder that aoc certify wrote')
    .requiredOption('--authority <url>', 'where the authority answers')
    .action(async (bundle: string, options: TimeStampOptions) => {
      const { timeStamp } = await import('./time-stamp.ts')
      done(await timeStamp(bundle, options))
    })
  program
    .command('withdraw')
    .summary('withdraw a certification')
    .description('Appends to a register that a certification no longer stands.')
    .argument('<bundle>', 'the folder that aoc certify wrote')
    .requiredOption('--register <file>', 'the register')
    .requiredOption('--reason <text>', 'why')
    .option('--key <file>', 'private key, PEM or JWK')
    .option('--key-env <name>', 'environment variable that holds the private key')
    .action(async (bundle: string, options: WithdrawOptions) => {
      const { withdraw } = await import('./withdraw.ts')
      done(await withdraw(bundle, options))
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
      const { generate } = await import('./keys.ts')
      done(await generate(options))
    })
}
