/** The names that scenarios and verbs of the tool share. */

/** Path of the discovery document below the base URL (RAP Toolsets, Discovery). */
export const manifestPath = '/.well-known/rap-toolset'

/** Path of the notification of a cancellation (RAP Tool Cancellation, Request). */
export const cancellationPath = '/cancel_tool_call'
