import { NotOffered } from '../../../../../harness/engine/index.ts'
import { check } from '../judges/judge.ts'
import { keepsTokensOfIssuer } from '../judges/tokens.ts'
import { documentOf, metadataOf, type Document, type Places } from '../rules.ts'
import { issuerChanged } from '../vocabulary.ts'
import { control, scenario } from './define.ts'

/** Refresh tokens are shared with the authorization server that issued them alone (RFC 6749 §10.4). */
export const issuerChanges = scenario({
  id: 'issuer-changes',
  title:
    'a call was served with a token, and the metadata of the server then names another authorization server',
  control,
  ownInstance: true,
  needs: {
    what: 'metadata that is read again when a token is refused',
    seen: () => undefined,
  },
  async drive({ open, user, issuer: before, ownInstance, mark, observe }) {
    const client = open(user)
    const first = client.begin()
    await user.approve(first)
    await first.served()
    const { issuer, admit } = await ownInstance()
    if (issuer === before) throw new NotOffered('there is no second place for a provider')
    const servers = await client.servers()
    admit(servers)
    mark(issuerChanged, { issuer })
    let isRead = false
    const document = (places: Places): Document => {
      isRead = true
      return documentOf(metadataOf({ ...places, issuer }))
    }
    for (const server of servers) {
      server.expire()
      server.follow({ document })
    }
    const next = client.begin()
    await next.attempted()
    await next.reopened()
    await observe()
    if (!isRead) throw new NotOffered('it did not read the metadata again')
  },
  checks: [
    check(
      'mcp-auth-challenge/client/tokens-to-own-issuer',
      'sends the other one no token of the first',
      keepsTokensOfIssuer,
    ),
  ],
})
