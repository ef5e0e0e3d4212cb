/** All checks of an authorization server, in the order of reports: flows, then rules. */
import type { Check } from '../../engine/check/check.ts';
import { scenarios } from './flows/index.ts';
import { rules } from './rules/index.ts';

export const checks: readonly Check[] = [...scenarios.flatMap((flow) => flow.checks), ...rules];
