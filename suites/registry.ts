/** Every profile that this suite can certify. A new protocol adds its line here. */

import type { AnyProfile } from '../harness/engine/index.ts'
import { urlElicitationClient } from './mcp/url-elicitation/client/profile.ts'
import { authChallengeClient } from './mcp/auth-challenge/client/profile.ts'
import { authChallengeServer } from './mcp/auth-challenge/server/profile.ts'
import { delegatedAuthorizationClient } from './mcp/delegated-authorization/client/profile.ts'
import { delegatedAuthorizationServer } from './mcp/delegated-authorization/server/profile.ts'
import { adkAgent } from './adk-credential/agent/profile.ts'
import { adkClient } from './adk-credential/client/profile.ts'
import { urlElicitationServer } from './mcp/url-elicitation/server/profile.ts'
import { penguiflowManager } from './penguiflow-oauth/manager/profile.ts'
import { penguiflowPlanner } from './penguiflow-oauth/planner/profile.ts'
import { rapRuntime } from './rap-oauth/runtime/profile.ts'
import { rapTool } from './rap-oauth/tool/profile.ts'

/** Every profile, each with an id of its own. */
export const profiles: readonly AnyProfile[] = [
  rapTool,
  rapRuntime,
  urlElicitationServer,
  urlElicitationClient,
  authChallengeServer,
  authChallengeClient,
  delegatedAuthorizationServer,
  delegatedAuthorizationClient,
  adkAgent,
  adkClient,
  penguiflowPlanner,
  penguiflowManager,
]
