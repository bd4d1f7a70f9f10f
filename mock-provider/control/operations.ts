/** Every operation of the control API. */
import { z } from 'zod'
import { revokeAuthorization } from '../authorization/authorization.ts'
import { listUsers } from '../authorization/users.ts'
import type { Fault } from '../faults/fault.ts'
import { faults, isFaultId } from '../faults/index.ts'
import { OAuthError } from '../http/oauth-error.ts'
import {
  clientSchema,
  directTokenSchema,
  faultScopeSchema,
  userSchema,
} from '../provider/input-schemas.ts'
import { issueDirectly } from '../tokens/issue-directly.ts'
import { requireForward } from '../storage/clock.ts'
import { maskAll } from './mask.ts'
import { operation, type Operation, type Target } from './operation.ts'
import * as schemas from './schemas.ts'
import { describeAuthorization, describeClient, describeClock, describeToken } from './views.ts'

const missing = (what: string) => new OAuthError('not_found', `no such ${what}`, { status: 404 })

const list = <T extends z.ZodType>(name: string, items: T) => z.object({ [name]: z.array(items) })

export const operations: readonly Operation[] = [
  operation({
    id: 'getIssuer',
    method: 'GET',
    path: '/issuer',
    summary: 'The issuer, its clock and its tenants',
    status: 200,
    response: schemas.issuer,
    act: async ({ state, tenants }) => ({
      issuer: state.settings.issuer,
      clock: describeClock(state),
      tenants: tenants?.names() ?? [],
    }),
  }),
  operation({
    id: 'listClients',
    method: 'GET',
    path: '/clients',
    summary: 'Every client, its secret masked',
    status: 200,
    response: list('clients', schemas.client),
    act: async ({ state }) => ({
      clients: (await state.clients.list()).map((each) => describeClient(each)),
    }),
  }),
  operation({
    id: 'registerClient',
    method: 'POST',
    path: '/clients',
    summary: 'Registers a client, in place of an earlier one with the same id',
    body: clientSchema,
    status: 201,
    response: schemas.client,
    async act({ state }, { body }) {
      const client = await state.clients.register(body)
      return { ...describeClient(client), clientSecret: client.clientSecret }
    },
  }),
  operation({
    id: 'listAuthorizations',
    method: 'GET',
    path: '/authorizations',
    summary: 'Every authorization: who asked, who decided what',
    status: 200,
    response: list('authorizations', schemas.authorization),
    act: async ({ state }) => ({
      authorizations: (await state.authorizations.list()).map((each) =>
        describeAuthorization(state, each),
      ),
    }),
  }),
  operation({
    id: 'revokeAuthorization',
    method: 'POST',
    path: '/authorizations/{id}/revoke',
    summary: 'Ends an authorization and everything issued for it, as a user does in an account',
    status: 204,
    async act({ state }, { parameters }) {
      if (!(await revokeAuthorization(state, parameters['id'] ?? '')))
        throw missing('authorization')
    },
  }),
  operation({
    id: 'ageAuthorization',
    method: 'POST',
    path: '/authorizations/{id}/age',
    summary: 'Ages the code and the tokens of one authorization',
    body: schemas.advance,
    status: 204,
    async act({ state }, { parameters, body }) {
      const ms = body.seconds * 1000
      requireForward(ms)
      const older = state.authorizations.update(parameters['id'] ?? '', (each) => ({
        ...each,
        age: each.age + ms,
      }))
      if (!(await older)) throw missing('authorization')
    },
  }),
  operation({
    id: 'listTokens',
    method: 'GET',
    path: '/tokens',
    summary: 'Every access and refresh token, masked: live, expired, rotated and revoked ones',
    status: 200,
    response: list('tokens', schemas.token),
    async act({ state }) {
      const tokens = await state.tokens.list()
      return { tokens: await Promise.all(tokens.map((each) => describeToken(state, each))) }
    },
  }),
  operation({
    id: 'issueToken',
    method: 'POST',
    path: '/tokens',
    summary: 'Issues tokens without a flow, for any user, client and audience',
    body: directTokenSchema,
    status: 201,
    response: schemas.tokenSet,
    act: ({ state }, { body }) => issueDirectly(state, body),
  }),
  operation({
    id: 'listUsers',
    method: 'GET',
    path: '/users',
    summary: 'Everybody who can be chosen at the page',
    status: 200,
    response: list('users', userSchema),
    act: async ({ state }) => ({ users: await listUsers(state) }),
  }),
  operation({
    id: 'setUser',
    method: 'POST',
    path: '/users',
    summary: 'Adds a user, in place of an earlier one with the same subject',
    body: userSchema,
    status: 204,
    async act({ state }, { body }) {
      await state.users.set(body.subject, body)
    },
  }),
  operation({
    id: 'removeUser',
    method: 'DELETE',
    path: '/users/{subject}',
    summary: 'Forgets a user that was added, or how one was changed',
    status: 204,
    async act({ state }, { parameters }) {
      if (!(await state.users.take(parameters['subject'] ?? ''))) throw missing('user')
    },
  }),
  operation({
    id: 'getLog',
    method: 'GET',
    path: '/log',
    summary: 'The log of this instance, credentials masked, oldest first',
    query: schemas.logQuery,
    status: 200,
    response: list('events', schemas.logEvent),
    act: async ({ state }, { query }) => ({
      events: state.log.events
        .filter(({ seq }) => seq > query.after)
        .slice(0, query.limit)
        .map((event) => maskAll(event)),
    }),
  }),
  operation({
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'The time by which every lifetime is measured',
    status: 200,
    response: schemas.clock,
    act: async ({ state }) => describeClock(state),
  }),
  operation({
    id: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    summary: 'Moves time forward; everything that was issued ages by as much',
    body: schemas.advance,
    status: 200,
    response: schemas.clock,
    async act({ state }, { body }) {
      await state.clock.advance(body.seconds * 1000)
      return describeClock(state)
    },
  }),
  operation({
    id: 'rotateKey',
    method: 'POST',
    path: '/keys/rotate',
    summary: 'Signs with a new key from now on; the previous one stays published for a while',
    query: schemas.rotation,
    status: 204,
    async act({ state }, { query }) {
      await state.signer.rotate({ withdraw: query.previous === 'withdraw' })
    },
  }),
  operation({
    id: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'The faults that are switched on, and every fault there is',
    status: 200,
    response: schemas.faultList,
    act: async ({ state }) => ({ on: await state.faults.list(), known: knownFaults }),
  }),
  operation({
    id: 'setFaults',
    method: 'PUT',
    path: '/faults/{scope}',
    summary: 'Switches exactly these faults on for a scope; what holds back does so until released',
    body: schemas.faultSpecs,
    status: 204,
    async act({ state }, { parameters, body }) {
      await state.faults.set(faultScopeSchema.parse(parameters['scope']), body)
    },
  }),
  operation({
    id: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Switches every fault off and lets everything held back go on',
    status: 204,
    act: ({ state }) => state.faults.clear(),
  }),
  operation({
    id: 'release',
    method: 'POST',
    path: '/release',
    summary: 'Lets everything that this instance holds back go on',
    status: 204,
    async act({ state }) {
      state.faults.releaseAll()
    },
  }),
  operation({
    id: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Forgets everything except the signing key, and starts again with the options',
    status: 204,
    act: ({ state }) => state.reset(),
  }),
  operation({
    id: 'listTenants',
    method: 'GET',
    path: '/tenants',
    summary: 'The tenants there are, the one used last at the end',
    rootOnly: true,
    status: 200,
    response: list('tenants', schemas.tenant),
    act: async (target) => ({
      tenants: requireTenants(target)
        .names()
        .map((name) => describeTenant(target, name)),
    }),
  }),
  operation({
    id: 'createTenant',
    method: 'POST',
    path: '/tenants',
    summary: 'Creates a tenant, unless there is one of that name',
    rootOnly: true,
    body: schemas.newTenant,
    status: 201,
    response: schemas.tenant,
    async act(target, { body }) {
      requireTenants(target).open(body.name)
      return describeTenant(target, body.name)
    },
  }),
  operation({
    id: 'removeTenant',
    method: 'DELETE',
    path: '/tenants/{tenant}',
    summary: 'Forgets a tenant and everything it kept',
    rootOnly: true,
    status: 204,
    async act(target, { parameters }) {
      const removed = await requireTenants(target).remove(parameters['tenant'] ?? '')
      if (!removed) throw missing('tenant')
    },
  }),
]

const knownFaults = Object.keys(faults)
  .filter(isFaultId)
  .map((id) => {
    const { endpoint, description, section }: Fault = faults[id]
    return { id, endpoint, description, section }
  })

function requireTenants({ tenants }: Target) {
  if (!tenants) throw new OAuthError('not_found', 'this provider has no tenants', { status: 404 })
  return tenants
}

function describeTenant(target: Target, name: string) {
  return { name, issuer: requireTenants(target).get(name)?.handle.issuer }
}
