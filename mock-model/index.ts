/** A model endpoint that real runtimes talk to, and that says what a script tells it to. */

export { modelLimits } from './limits.ts'
export type * from './model-reply.ts'
export type * from './model-request.ts'
export {
  startScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './start-scripted-model.ts'
