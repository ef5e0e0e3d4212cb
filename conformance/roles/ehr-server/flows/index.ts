/** Lists the flows and checks of an EHR server. */
import type { Check } from '../../../engine/check/check.ts';
import type { EhrFlow } from '../flow.ts';
import { atOnceFlows, lateCallsRefused, racesOfStateFlows } from './at-once.ts';
import { channelFlows, internalFlows } from './internal-channel/internal.ts';
import { mismatchFlows, nearMissFlows } from './linking/near-misses.ts';
import { exchangeTokenFlows, matchingFlows, propertyFlows } from './linking/properties.ts';
import { batchFlows, oddBodyFlows } from './messages/batches.ts';
import { headerFlows, httpFlows } from './messages/http.ts';
import {
  noSecretsInOutput,
  ownIds,
  readCode,
  replyFlows,
  wholeReplies,
  wireChecks,
} from './messages/wire.ts';
import { cacheFlows, othersPatientsFlows, readEndingFlows } from './record/others-patients.ts';
import {
  patientsLetGo,
  recordFlows,
  recordOfPatientFlows,
  signatureFlows,
  toldOfOthers,
} from './record/record.ts';
import { impersonationFlows, longTokenFlows, lookAlikeFlows } from './sessions/look-alikes.ts';
import {
  everySessionFlows,
  noSessionFlows,
  removalFlows,
  restartFlows,
  sessionFlows,
} from './sessions/sessions.ts';
import { lifetimeFlows, spentLaterFlows, timeFlows } from './sessions/time.ts';
import { stateTable } from './state-table.ts';

/** In the order in which they are played. */
export const ehrFlows: readonly EhrFlow[] = [
  ...exchangeTokenFlows,
  ...noSessionFlows,
  ...sessionFlows,
  ...removalFlows,
  ...everySessionFlows,
  ...signatureFlows,
  ...internalFlows,
  ...channelFlows,
  ...lookAlikeFlows,
  ...longTokenFlows,
  ...impersonationFlows,
  ...cacheFlows,
  ...propertyFlows,
  ...matchingFlows,
  ...nearMissFlows,
  ...mismatchFlows,
  ...timeFlows,
  ...lifetimeFlows,
  ...spentLaterFlows,
  ...recordFlows,
  ...recordOfPatientFlows,
  ...restartFlows,
  ...replyFlows,
  ...batchFlows,
  ...httpFlows,
  ...headerFlows,
  stateTable,
  ...atOnceFlows,
  ...othersPatientsFlows,
  ...racesOfStateFlows,
  ...readEndingFlows,
  ...oddBodyFlows,
];

export const allEhrChecks: readonly Check[] = [
  ...ehrFlows.flatMap(({ checks }) => checks),
  ...wireChecks(ehrFlows),
  readCode(ehrFlows),
  wholeReplies(ehrFlows),
  ownIds(ehrFlows),
  noSecretsInOutput,
  lateCallsRefused,
  toldOfOthers(ehrFlows),
  patientsLetGo(ehrFlows),
];
