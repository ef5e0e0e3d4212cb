/** Converts the authInfo of §2.3 to the session that is stored. */
import type { z } from 'zod';
import { isObject } from '#protocol/envelope.ts';
import type { authInfo } from '#protocol/fields.ts';
import { type EhrConfig, maxTtlOf, ttlUnitMs } from './config.ts';
import { hashToken } from './context.ts';
import type { NewSession } from './store/store.ts';

export function newSession(info: z.output<typeof authInfo>, config: EhrConfig): Omit<NewSession, 'recordId'> {
  return {
    user: info.user,
    tokenHash: hashToken(info.token),
    lifetime: info.ttl * ttlUnitMs(config),
    created: info.created == null ? undefined : String(info.created),
  };
}

/**
 * The violations of the settings' limits in params of the right shape: a ttl above the maximum (decision 9).
 */
export function beyondLimits({ authInfo: info }: Record<string, unknown>, config: EhrConfig): string[] {
  const max = maxTtlOf(config);
  const tooLong = isObject(info) && typeof info.ttl === 'number' && info.ttl > max;
  return tooLong ? [`params.authInfo.ttl: must be at most ${max} ${config.ttlUnit}`] : [];
}
