/** All checks of an EHR server, in the order of the interface. */
import type { EhrCheck } from '../check.ts';
import { exchangeTokenChecks } from './exchange-token.ts';
import { internalChecks } from './internal.ts';
import { matchingChecks } from './matching.ts';
import { restartChecks } from './restart.ts';
import { sessionChecks } from './sessions.ts';
import { timeChecks } from './time.ts';

export const ehrChecks: readonly EhrCheck[] = [...exchangeTokenChecks, ...sessionChecks, ...internalChecks, ...matchingChecks, ...timeChecks, ...restartChecks];
