/** What a vendor configured or declared that takes scenarios away. */

import type { Declared } from './configuration.ts'

/** A denial is not handed on to where states are used in the dialect of responses. */
export function needsDenials({ dialect }: Declared): string | undefined {
  return dialect === 'call'
    ? undefined
    : 'credentials are made at api.consent, which hears of no denial'
}

/** In the dialect of responses the callback never reaches the agent by an answer. */
export function needsCallDialect({ dialect }: Declared): string | undefined {
  return dialect === 'call'
    ? undefined
    : 'credentials are made at api.consent, so an answer brings no callback'
}

/** Where the callback comes in the answer, nobody else has a say about a flow. */
export function needsConsentLeg({ dialect }: Declared): string | undefined {
  return dialect === 'response'
    ? undefined
    : 'there is no consent leg: the answer brings the callback'
}

export function needsOtherCredential({ otherCredential }: Declared): string | undefined {
  return otherCredential === undefined
    ? 'others.otherCredential names no tool with an AuthConfig of its own'
    : undefined
}

export function needsSameCredential({ sameCredential }: Declared): string | undefined {
  return sameCredential === undefined
    ? 'others.sameCredential names no second tool with the AuthConfig of the operation'
    : undefined
}

export function needsOpenTool({ open }: Declared): string | undefined {
  return open === undefined ? 'others.open names no tool without authorization' : undefined
}

export function needsOtherArguments({ otherArguments }: Declared): string | undefined {
  return otherArguments
    ? undefined
    : 'no other arguments of the tool are configured (operation.otherArguments)'
}

export function needsDurability({ durable }: Declared): string | undefined {
  return durable
    ? undefined
    : 'declares.durable is not set: a restart loses sessions and credentials'
}

export function needsUserCredentials({ credentials }: Declared): string | undefined {
  return credentials === 'user'
    ? undefined
    : 'declares.credentials is session: each session asks for its own'
}
