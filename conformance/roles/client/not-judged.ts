/**
 * Names the requirements on a client that no check judges, each with the reason. Checks judge all of them, so
 * the list is empty.
 */
import type { RequirementId } from '#protocol/requirements.ts';

export const NOT_JUDGED: Readonly<Partial<Record<RequirementId, string>>> = {};
