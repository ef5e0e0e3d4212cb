/** Requirements on a client that its messages cannot decide, each with the reason. */
import type { RequirementId } from '#protocol/requirements.ts';

export const NOT_JUDGED: Readonly<Partial<Record<RequirementId, string>>> = {};
