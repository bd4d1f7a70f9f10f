/** `provider`: the mock OAuth provider on its own. */

import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ProviderOptions } from './provider.ts'
import { collect, type Declare } from './declare.ts'

const providerHelp = `
Listens on the loopback interface only, unless --host says otherwise. Standard output ends with a line
that begins with "ready: "; with --json it is one JSON object with the issuer and what else a script needs.

Clients: a JSON list. A client without a secret is public. More can register at /register.
  [{ "clientId": "web", "clientSecret": "s", "redirectUris": ["http://localhost:3000/callback"] }]
  also name, grantTypes (authorization_code and refresh_token unless given), responseTypes, authMethods, scopes, pkce,
  jwks, jwksUri, authSigningAlg, idTokenSigningAlg, dpopBoundAccessTokens, clientSecretExpiresAt
Users: a JSON list, to choose from at the consent page; alice and bob unless given.
  [{ "subject": "carol", "name": "Carol", "claims": { "groups": ["admin"] } }]
Branding: { "name": "Acme", "accentColor": "#7a1fa2", "backgroundColor": "#f3e5f5", "logo": "https://acme.example/logo.svg" }
Scripts decide with POST /authorize/{id}/decision, or use --auto-approve.

Examples:
  aoc provider --clients clients.json
  aoc provider --https --control                 HTTPS, and https://…/_control/ with a live log
  aoc provider --fault token-error-503@client:web --fault '{"fault":"token-hang","times":1}'
  aoc provider --storage redis://127.0.0.1:6379  several instances behind a balancer`

export const declareProvider: Declare = (program, done) => {
  const command = program
    .command('provider')
    .summary('serve the mock OAuth provider')
    .description(
      'Serves a strict mock OAuth provider that misbehaves on request, until it is stopped.',
    )
    .optionsGroup('Where it is:')
    .addOption(new Option('--port <number>', '0 takes a free one').default(9400).argParser(port))
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option(
      '--issuer <url>',
      'what it calls itself; unless given, the origin it is served from, or 127.0.0.1 when --host is not a loopback address',
    )
    .option('--https', 'with a certificate of an authority made for this run')
    .option('--authority <dir>', 'the same, with an authority that is kept in this folder')
    .option('--cert <file>', 'with this certificate (PEM), and --key')
    .option('--key <file>', 'the private key of --cert (PEM)')
    .optionsGroup('What it knows:')
    .option('--clients <file>', 'the registered clients (JSON)')
    .option('--users <file>', 'who can sign in (JSON); alice and bob unless given')
    .option('--token-claims <file>', 'claims that are added to tokens (JSON)')
    .option('--branding <file>', 'name, colours and logo of the login page (JSON)')
    .option('--audience <id>', 'an API of your own that tokens may be for; repeatable', collect)
    .option('--storage <address>', 'memory, sqlite:FILE or redis://HOST:PORT', 'memory')
    .option('--tenants', 'an issuer of its own at each /{tenant}, created on first use')
    .option('--seed <text>', 'the same values for the same requests')
    .optionsGroup('How it behaves:')
    .option('--preset <name>', 'deviate like github, google, slack, entra … (strict unless given)')
    .addOption(
      new Option('--access-token-format <format>', 'opaque unless given').choices([
        'opaque',
        'jwt',
      ]),
    )
    .addOption(
      new Option(
        '--id-token-alg <alg>',
        'what ID tokens are signed by; RS256 unless given',
      ).choices(['RS256', 'ES256', 'EdDSA']),
    )
    .option('--dpop-nonce', 'DPoP proofs need a nonce')
    .option('--auto-approve <subject>', 'approve everything as this user, without a page')
    .option('--fault <fault>', 'ID, ID@SCOPE or JSON; repeatable', collect)
    .option('--list-faults', 'show every fault')
    .optionsGroup('How it is watched:')
    .option('--control', 'inspection and control API, live log, OpenAPI, under /_control')
    .option('--control-token <token>', 'the same, for whoever has this bearer token')
    .option('--json', 'print one JSON line when it is ready, and nothing else')
    .addHelpText('after', providerHelp)
    .action(async (options: ProviderOptions) => {
      const { provider } = await import('./provider.ts')
      done(await provider(options))
    })
  command
    .command('token')
    .summary('issue a token without a flow')
    .description(
      'Asks a running provider, which has to have --control, for a token, and prints it.',
    )
    .option('--url <url>', 'the issuer', 'http://127.0.0.1:9400')
    .option('--control-token <token>', 'where the control API needs one')
    .option('--subject <subject>', 'the user that it is about; alice unless given')
    .option('--client <id>', 'the client that it is issued to, registered or not')
    .option('--scope <scopes>', 'separated by spaces')
    .option('--audience <id>', 'what it is for; repeatable', collect)
    .option('--claims <json>', 'claims to add, as a JSON object')
    .option('--lifetime <seconds>', 'negative for one that has expired')
    .addOption(new Option('--format <format>', 'of the access token').choices(['opaque', 'jwt']))
    .option('--json', 'print the whole token response')
    .action(async (_: unknown, token: Command) => {
      const { providerToken } = await import('./provider-token.ts')
      // the command above has options of the same names, and takes them wherever they stand
      done(await providerToken(token.optsWithGlobals()))
    })
}

function port(text: string): number {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text) && number < 65_536) return number
  throw new InvalidArgumentError('A port is a number from 0 to 65535.')
}
