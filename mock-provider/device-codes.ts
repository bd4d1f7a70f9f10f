/** Device codes and the user codes that go with them (RFC 8628 §3.2, §6.1). */
import type { Authorization, Issued } from './authorization.ts'
import type { RandomBytes } from './random.ts'
import { retentionOf } from './options.ts'
import type { ProviderState } from './state.ts'

export interface DeviceCode extends Issued {
  readonly value: string
  readonly clientId: string
  /** As it is shown, with its hyphen. */
  readonly userCode: string
  /** Seconds that have to pass between two polls. */
  readonly interval: number
  /** When the device last asked, in milliseconds by the provider's clock. */
  readonly polledAt: number | undefined
  readonly redeemed: boolean
}

/** RFC 8628 §6.1: no vowels, so no words; nothing that looks like something else. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Issues the codes for an authorization that awaits its decision. */
export async function issueDeviceCode(
  state: ProviderState,
  { id, age, request: { clientId } }: Authorization,
): Promise<DeviceCode> {
  const { settings, clock, opaque, deviceCodes, userCodes, ledger } = state
  const code: DeviceCode = {
    value: opaque('dc_'),
    clientId,
    userCode: randomUserCode(settings.random),
    authorization: id,
    interval: settings.deviceInterval,
    polledAt: undefined,
    expiresAt: clock.now() + settings.lifetimes.deviceCode * 1000,
    ageAtIssue: age,
    redeemed: false,
  }
  const retention = retentionOf(settings)
  await deviceCodes.set(code.value, code, retention)
  await userCodes.set(normalizeUserCode(code.userCode), code.value, retention)
  ledger.record({ kind: 'device_code', value: code.value, authorization: id, clientId })
  return code
}

/** What counts of a user code as somebody typed it (RFC 8628 §6.1). */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, '')
}

function randomUserCode(random: RandomBytes): string {
  const letters: string[] = []
  while (letters.length < 8) {
    // of 256 values, the last 16 would make some letters likelier than others
    const fair = [...random(8)].filter((byte) => byte < 240)
    letters.push(...fair.map((byte) => alphabet.charAt(byte % alphabet.length)))
  }
  return `${letters.slice(0, 4).join('')}-${letters.slice(4, 8).join('')}`
}
