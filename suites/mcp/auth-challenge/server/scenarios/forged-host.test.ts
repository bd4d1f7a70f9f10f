import { describeExamples } from '../../../../testing.ts'
import { endpoint, metadataUrl, options, recording, type Cases } from '../testing.ts'
import { forgedHostScenarios } from './forged-host.ts'

const elsewhere = metadataUrl.replace('127.0.0.1:4100', 'forged.example')
const overTls = metadataUrl.replace('http:', 'https:')
const challengedAt = (url: string) => `Bearer resource_metadata="${url}"`
const begun = () => recording().deployed().call().challenged()
const claimed = () => begun().metadata().call()
const control = recording('challenged-then-served').complete()
const judged = (recorded: ReturnType<typeof recording>) => [recorded, {}, control] as const

const unmoved: Cases = {
  pass: {
    'both are the same': judged(claimed().challenged()),
    'the claim is refused': judged(claimed().http(400)),
    'the refusal names it': judged(
      begun()
        .metadata({ error: 'forged.example is not allowed' }, { status: 403 })
        .call()
        .http(403),
    ),
    'so is the fetch': judged(begun().metadata({}, { status: 403 }).call().http(403)),
    'the next call is challenged as before': judged(claimed().challenged().call().challenged()),
    'another query': judged(claimed().challenged(challengedAt(`${metadataUrl}?n=2`))),
  },
  violation: {
    'the host in the challenge': judged(claimed().challenged(challengedAt(elsewhere))),
    'the host in the challenge to the next call': judged(
      claimed().challenged().call().challenged(challengedAt(elsewhere)),
    ),
    'the scheme in the challenge': judged(claimed().challenged(challengedAt(overTls))),
    'the host in the metadata': judged(
      begun().metadata({ resource: 'http://forged.example/mcp' }).call().challenged(),
    ),
    'the host in another member': judged(
      begun().metadata({ resource_documentation: 'http://forged.example/help' }).call(),
    ),
    'the scheme in the metadata': judged(
      begun()
        .metadata({ resource: endpoint.replace('http:', 'https:') })
        .call(),
    ),
  },
  inconclusive: {
    'no challenge': judged(recording().call().served()),
    'no metadata is named': judged(recording().call().challenged('Bearer scope="x"')),
    'nothing was claimed': judged(begun()),
    'the call was not answered': judged(claimed()),
    'the fetch was not answered': judged(begun().unfetched(metadataUrl).call().challenged()),
  },
}

describeExamples(
  forgedHostScenarios,
  Object.fromEntries(
    forgedHostScenarios.map(({ id }) => [
      id,
      { 'mcp-auth-challenge/server/not-misleading': unmoved },
    ]),
  ),
  options,
)
