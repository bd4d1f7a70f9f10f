/** Defects of how the issuer is asked, as developers make them to get rid of an error. */

import { createRemoteJWKSet, customFetch } from 'jose'
import { Agent, fetch as fetchBy, type buildConnector } from 'undici'
import { z } from 'zod'

import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'

const metadata = z.object({ jwks_uri: z.url(), introspection_endpoint: z.url() })

/** Asks for metadata and keys by connections that are made so. */
function asking(connect: buildConnector.BuildOptions): Pick<Parts, 'discoverIssuer'> {
  const dispatcher = new Agent({ connect, pipelining: 0 })
  const get = (url: string) => fetchBy(url, { dispatcher })
  return {
    async discoverIssuer({ issuer }) {
      const said = await (await get(`${issuer}/.well-known/oauth-authorization-server`)).json()
      const { jwks_uri: keys, introspection_endpoint: introspectionEndpoint } = metadata.parse(said)
      const read = async (url: string) => Response.json(await (await get(url)).json())
      return {
        keys: createRemoteJWKSet(new URL(keys), { [customFetch]: read }),
        introspectionEndpoint,
      }
    },
  }
}

export const certificateDefects: readonly Defect[] = [
  {
    id: 'issuer-certificate-ignored',
    description: 'whoever answers in place of the issuer is asked for its keys',
    parts: () => asking({ rejectUnauthorized: false }),
  },
  {
    id: 'issuer-host-name-ignored',
    description: 'a certificate of a known authority is taken, whatever host it is for',
    parts: () => asking({ checkServerIdentity: () => undefined }),
  },
]
