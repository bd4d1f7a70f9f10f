/** The steps of this runtime as plain functions; `createRapRuntime` takes others in their place. */

import { randomBytes, randomUUID } from 'node:crypto'

import { forgetAuthUrl, surfaceAuthUrl } from './auth-url.ts'
import { interpretCallback, matchCallback, validateCallback } from './callback.ts'
import {
  injectResult,
  notifyCancellation,
  resumeCall,
  syntheticResult,
  timeLeft,
} from './ending.ts'
import { historyForModel, informModel } from './history.ts'
import {
  buildInvocation,
  postInvocation,
  reportUndeliverable,
  retryDelay,
  shouldRetryInvocation,
} from './invocation.ts'
import { log } from './log.ts'
import { askModel } from './model.ts'
import { createQueue } from './queue.ts'
import type { Call } from './records.ts'
import { requireJson } from './require-json.ts'
import { openStore, type Store } from './store.ts'
import { combineToolsets, parseToolset } from './toolset.ts'
import { fetchToolset } from './toolsets.ts'
import { isUsableUrl } from './usable-url.ts'

export const defaultParts = {
  // toolsets
  fetchToolset,
  parseToolset,
  combineToolsets,
  // the invocation
  newId: (
    _of: Pick<Call, 'conversation' | 'tool' | 'rawArguments'> & { readonly turn: number },
  ): string => `call_${randomUUID()}`,
  newToken: () => randomBytes(32).toString('base64url'),
  buildInvocation,
  postInvocation,
  shouldRetryInvocation,
  retryDelay,
  reportUndeliverable,
  // callbacks
  guardCallback: requireJson,
  validateCallback,
  matchCallback,
  interpretCallback,
  // authorization
  isUsableUrl,
  surfaceAuthUrl,
  forgetAuthUrl,
  // the end of a call
  injectResult,
  timeLeft,
  syntheticResult,
  notifyCancellation,
  /** RAP Tool Cancellation, Dispatch Behavior: the tools are notified of what has been cancelled already. */
  async closeCall(end: () => void, notify: () => Promise<void>): Promise<void> {
    end()
    await notify()
  },
  /** RAP OAuth, Runtime Behavior: what nobody has interrupted stays pending. */
  callsToCancel: (store: Pick<Store, 'openCalls'>, conversation: string): readonly Call[] =>
    store.openCalls(conversation),
  resumeCall,
  /** RAP OAuth, Runtime Behavior: a call is pending until its result, whoever looks. */
  userLeft: (_interrupt: () => void, _conversation: string): void => {},
  // the model
  informModel,
  historyForModel,
  askModel,
  // surroundings
  openStore,
  createQueue,
  now: () => Date.now(),
  log,
}

export type Parts = Readonly<typeof defaultParts>
