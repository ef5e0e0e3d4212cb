/** The remaining lifetime of a session, in the unit of the EHR server (§2.3, decision 9). */
import { TTL_UNIT_MS } from '#protocol/limits.ts';
import type { Caller, Context } from '../context.ts';
import type { AuthInfo } from './ehr-client.ts';

/** The caller's session for the EHR server. Its ttl is the remaining lifetime, rounded up, at least 1. */
export function authInfoOf(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  { user, token, expiresAt }: Caller,
): AuthInfo {
  const ttl = Math.max(1, Math.ceil((expiresAt - clock.now()) / TTL_UNIT_MS[config.ttlUnit]));
  return { user, token, ttl };
}
