/** From the authInfo of §2.3 to the session that is stored. */
import type { z } from 'zod';
import { RpcError } from '#protocol/errors.ts';
import type { authInfo } from '#protocol/fields.ts';
import { type EhrConfig, maxTtlOf, ttlUnitMs } from './config.ts';
import { hashToken } from './context.ts';
import type { NewSession } from './store/store.ts';

/** @throws RpcError `invalid_params` when the ttl is above the maximum of the settings */
export function newSession(info: z.output<typeof authInfo>, config: EhrConfig): Omit<NewSession, 'recordId'> {
  const max = maxTtlOf(config);
  if (info.ttl > max) throw new RpcError('invalid_params', { errors: [`params.authInfo.ttl: must be at most ${max} ${config.ttlUnit}`] });
  return {
    user: info.user,
    tokenHash: hashToken(info.token),
    lifetime: info.ttl * ttlUnitMs(config),
    created: info.created == null ? undefined : String(info.created),
  };
}
