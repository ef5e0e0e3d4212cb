/** Lists all checks of an EHR server. */

import type { Check } from '../../../engine/check/check.ts';
import type { EhrCheck, EhrScenario } from '../check.ts';
import { atOnceChecks, lateCallsRefused } from './at-once.ts';
import { channelChecks } from './internal-channel/channels.ts';
import { internalChecks } from './internal-channel/internal.ts';
import { signatureChecks } from './internal-channel/signatures.ts';
import { exchangeTokenChecks } from './linking/exchange-token.ts';
import { matchingChecks } from './linking/matching.ts';
import { mismatchChecks } from './linking/mismatches.ts';
import { nearMissChecks } from './linking/near-misses.ts';
import { patientsLetGo } from './linking/patients-let-go.ts';
import { propertyChecks } from './linking/properties.ts';
import { batchChecks } from './messages/batches.ts';
import { readCodeCheck } from './messages/codes.ts';
import { headerChecks } from './messages/headers.ts';
import { httpChecks } from './messages/http.ts';
import { oddBodyChecks } from './messages/odd-bodies.ts';
import { ownIds, ownIdsAtOnce } from './messages/own-ids.ts';
import { replyChecks } from './messages/replies.ts';
import { noSecretsInOutput, wholeReplies } from './messages/whole-replies.ts';
import { wireChecks } from './messages/wire.ts';
import { racesOfStateChecks } from './races-of-state.ts';
import { cacheChecks } from './record/caches.ts';
import { othersPatientsChecks } from './record/others-patients.ts';
import { recordChecks } from './record/record.ts';
import { recordOfPatientChecks } from './record/record-of-patient.ts';
import { toldOfOthers } from './record/told-of-others.ts';
import { everySessionChecks } from './sessions/every-session.ts';
import { impersonationChecks } from './sessions/impersonation.ts';
import { lifetimeChecks } from './sessions/lifetimes.ts';
import { longTokenChecks } from './sessions/long-tokens.ts';
import { lookAlikeChecks } from './sessions/look-alikes.ts';
import { noSessionChecks } from './sessions/no-session.ts';
import { readEndingChecks } from './sessions/read-endings.ts';
import { removalChecks } from './sessions/removals.ts';
import { restartChecks } from './sessions/restart.ts';
import { sessionChecks } from './sessions/sessions.ts';
import { spentLaterChecks } from './sessions/spent-later.ts';
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
  ownIdsAtOnce,
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

/** All scenarios, each once: several checks may judge the same one. */
export const ehrScenarios: readonly EhrScenario[] = [...new Set(ehrChecks.map(({ scenario }) => scenario))];

/** All checks: also those that judge the messages or notes of several scenarios. */
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
