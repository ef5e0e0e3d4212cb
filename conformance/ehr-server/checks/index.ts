/** All checks of an EHR server, in the order of the interface. */
import type { EhrCheck } from '../check.ts';
import { exchangeTokenChecks } from './exchange-token.ts';
import { sessionChecks } from './sessions.ts';

export const ehrChecks: readonly EhrCheck[] = [...exchangeTokenChecks, ...sessionChecks];
