/** All checks of an EHR server, in the order of the interface. */
import type { EhrCheck } from '../check.ts';
import { exchangeTokenChecks } from './exchange-token.ts';

export const ehrChecks: readonly EhrCheck[] = [...exchangeTokenChecks];
