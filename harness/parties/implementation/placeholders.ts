/** What a configuration may say in braces about the implementation itself. */

/** Of every implementation that is started. */
export const ownPlaceholders = {
  port: 'a free port to listen on, at 127.0.0.1',
  'data.dir': 'an empty folder for its data, the same after a restart',
} as const
