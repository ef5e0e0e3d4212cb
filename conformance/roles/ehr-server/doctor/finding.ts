/** The form of what the doctor finds about an EHR server. */
import type { Reason } from '#protocol/wire/errors.ts';
import { codeOf } from '../check.ts';
import type { Called } from '../world/calls.ts';
import type { EhrWorld } from '../world/world.ts';

/**
 * What was found, in words for the user. The remedy says what to do about the set-up; without a remedy the
 * server is judged.
 */
export type Finding = { found: string; remedy?: string };

export type Examination = { id: string; title: string; find: (world: EhrWorld) => Promise<Finding> };

/** The finding about a fault that the set-up cannot be blamed for. */
export const faultOfServer = (found: string): Finding => ({
  found: `${found}: a fault of the server, which is judged as far as it can be`,
});

/** Whether a call was refused for this reason, by its name or by its code. */
export const isRefusedFor = (result: Called['result'], reason: Reason): boolean =>
  result.kind === 'refused' && (result.reason === reason || result.code === codeOf(reason));
