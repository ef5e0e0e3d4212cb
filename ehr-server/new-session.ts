/** The session that an authInfo of §2.3 asks for, the limit of its ttl, and the ids of stored records. */
import type { z } from 'zod';
import { DEFAULT_MAX_SESSION_LIFETIME_MS, TTL_UNIT_MS } from '#protocol/limits.ts';
import { type Random, randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { authInfo } from '#protocol/wire/fields.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import type { EhrRules } from './context.ts';
import type { NewSession } from './store/store.ts';

export function newSession(info: z.output<typeof authInfo>, config: EhrRules): Omit<NewSession, 'recordId'> {
  return {
    user: info.user,
    tokenHash: hashToken(info.token),
    lifetime: info.ttl * TTL_UNIT_MS[config.ttlUnit],
    created: info.created == null ? undefined : String(info.created),
  };
}

/**
 * The violations of the settings' limits in params of the right shape: a ttl above the maximum (decision 9).
 */
export function beyondLimits({ authInfo: info }: Record<string, unknown>, config: EhrRules): string[] {
  const max = config.maxTtl ?? DEFAULT_MAX_SESSION_LIFETIME_MS / TTL_UNIT_MS[config.ttlUnit];
  const tooLong = isObject(info) && typeof info.ttl === 'number' && info.ttl > max;
  return tooLong ? [`params.authInfo.ttl: must be at most ${max} ${config.ttlUnit}`] : [];
}

/** Ids of stored records: opaque, and telling nothing of the user or the token (decision 17). */
export function newRecordId(random: Random): string {
  return randomToken(random, 16);
}
