/** Lists all checks of an EHR server. */

import type { Check } from '../../../engine/check/check.ts';
import type { EhrCheck, EhrScenario } from '../check.ts';
import { atOnceChecks, lateCallsRefused, racesOfStateChecks } from './at-once.ts';
import { channelChecks } from './internal-channel/channels.ts';
import { internalChecks } from './internal-channel/internal.ts';
import { signatureChecks } from './internal-channel/signatures.ts';
import { exchangeTokenChecks } from './linking/exchange-token.ts';
import { mismatchChecks, nearMissChecks } from './linking/near-misses.ts';
import { matchingChecks, propertyChecks } from './linking/properties.ts';
import { batchChecks } from './messages/batches.ts';
import { headerChecks, httpChecks } from './messages/http.ts';
import { oddBodyChecks } from './messages/odd-bodies.ts';
import { readCodeCheck, replyChecks } from './messages/replies.ts';
import { noSecretsInOutput, ownIds, wholeReplies } from './messages/whole-replies.ts';
import { wireChecks } from './messages/wire.ts';
import { cacheChecks } from './record/caches.ts';
import { othersPatientsChecks } from './record/others-patients.ts';
import { recordChecks, recordOfPatientChecks } from './record/record.ts';
import { patientsLetGo, toldOfOthers } from './record/told-of-others.ts';
import { impersonationChecks } from './sessions/impersonation.ts';
import { lifetimeChecks, spentLaterChecks } from './sessions/lifetimes.ts';
import { longTokenChecks, lookAlikeChecks } from './sessions/look-alikes.ts';
import { readEndingChecks } from './sessions/read-endings.ts';
import { everySessionChecks, removalChecks } from './sessions/removals.ts';
import { restartChecks } from './sessions/restart.ts';
import { noSessionChecks, sessionChecks } from './sessions/sessions.ts';
import { timeChecks } from './sessions/time.ts';
import { stateTableChecks } from './state-table.ts';

/** The checks that judge one scenario each. The scenarios are played in this order. */
export const ehrChecks: readonly EhrCheck[] = [
  ...exchangeTokenChecks,
  ...noSessionChecks,
  ...sessionChecks,
  ...removalChecks,
  ...everySessionChecks,
  ...signatureChecks,
  ...internalChecks,
  ...channelChecks,
  ...lookAlikeChecks,
  ...longTokenChecks,
  ...impersonationChecks,
  ...cacheChecks,
  ...propertyChecks,
  ...matchingChecks,
  ...nearMissChecks,
  ...mismatchChecks,
  ...timeChecks,
  ...lifetimeChecks,
  ...spentLaterChecks,
  ...recordChecks,
  ...recordOfPatientChecks,
  ...restartChecks,
  ...replyChecks,
  ...batchChecks,
  ...httpChecks,
  ...headerChecks,
  ...stateTableChecks,
  ...atOnceChecks,
  ...othersPatientsChecks,
  ...racesOfStateChecks,
  ...readEndingChecks,
  ...oddBodyChecks,
];

export const ehrScenarios: readonly EhrScenario[] = [...new Set(ehrChecks.map(({ scenario }) => scenario))];

export const allEhrChecks: readonly Check[] = [
  ...ehrChecks.map(({ check }) => check),
  ...wireChecks(ehrScenarios),
  readCodeCheck(ehrChecks),
  wholeReplies(ehrScenarios),
  ownIds(ehrScenarios),
  noSecretsInOutput,
  lateCallsRefused,
  toldOfOthers(ehrScenarios),
  patientsLetGo(ehrScenarios),
];
