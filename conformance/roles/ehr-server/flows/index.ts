/** Lists all checks of an EHR server. */

import type { Check } from '../../../engine/check/check.ts';
import type { EhrCheck, EhrScenario } from '../check.ts';
import { atOnceChecks, lateCallsRefused, racesOfStateChecks } from './at-once.ts';
import { channelChecks, internalChecks } from './internal-channel/internal.ts';
import { signatureChecks } from './internal-channel/signatures.ts';
import { mismatchChecks, nearMissChecks } from './linking/near-misses.ts';
import { exchangeTokenChecks, matchingChecks, propertyChecks } from './linking/properties.ts';
import { batchChecks, oddBodyChecks } from './messages/batches.ts';
import { headerChecks, httpChecks } from './messages/http.ts';
import {
  noSecretsInOutput,
  ownIds,
  readCodeCheck,
  replyChecks,
  wholeReplies,
  wireChecks,
} from './messages/wire.ts';
import { cacheChecks, othersPatientsChecks, readEndingChecks } from './record/others-patients.ts';
import { patientsLetGo, recordChecks, recordOfPatientChecks, toldOfOthers } from './record/record.ts';
import { impersonationChecks, longTokenChecks, lookAlikeChecks } from './sessions/look-alikes.ts';
import {
  everySessionChecks,
  noSessionChecks,
  removalChecks,
  restartChecks,
  sessionChecks,
} from './sessions/sessions.ts';
import { lifetimeChecks, spentLaterChecks, timeChecks } from './sessions/time.ts';
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
