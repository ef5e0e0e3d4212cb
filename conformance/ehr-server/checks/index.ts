/** All checks of an EHR server, in the order of the interface. */
import type { EhrCheck } from '../check.ts';
import { envelopeChecks } from './envelope.ts';
import { exchangeTokenChecks } from './exchange-token.ts';
import { httpChecks } from './http.ts';
import { internalChecks } from './internal.ts';
import { matchingChecks } from './matching.ts';
import { recordChecks } from './record.ts';
import { restartChecks } from './restart.ts';
import { sessionChecks } from './sessions.ts';
import { timeChecks } from './time.ts';

export const ehrChecks: readonly EhrCheck[] = [...exchangeTokenChecks, ...sessionChecks, ...internalChecks, ...matchingChecks, ...timeChecks, ...recordChecks,
  ...restartChecks,
  ...envelopeChecks,
  ...httpChecks];
