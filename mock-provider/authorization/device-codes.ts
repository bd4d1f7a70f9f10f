/** Device codes and the user codes that go with them (RFC 8628 §3.2, §6.1). */
import type { RandomBytes } from '../crypto/random.ts'
import type { ProviderState } from '../provider/state.ts'
import { retentionOf } from '../tokens/lifetimes.ts'
import type { Authorization, DeviceCode } from './authorization.ts'

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
