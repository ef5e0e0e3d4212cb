/** The form of what the doctor finds about an EHR server. */
import type { EhrWorld } from '../world/world.ts';

/**
 * What was found, in words for the user. The remedy says what to do about the set-up; without a remedy the
 * server is judged.
 */
export type Finding = { found: string; remedy?: string };

export type Examination = { id: string; title: string; find: (world: EhrWorld) => Promise<Finding> };
