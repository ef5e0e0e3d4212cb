/** All checks, in the order in which reports list them. */
import type { Check } from '../../engine/check/check.ts';
import { scenarios } from './flows/index.ts';
import { rules } from './rules/index.ts';

export const checks: readonly Check[] = [...scenarios.flatMap((flow) => flow.checks), ...rules];
