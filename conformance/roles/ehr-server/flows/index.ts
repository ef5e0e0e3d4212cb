/** Lists the flows and checks of an EHR server. */
import type { Check } from '../../../engine/check/check.ts';
import type { EhrFlow } from '../flow.ts';
import { atOnceFlows, lateCallsRefused, racesOfStateFlows } from './at-once.ts';
import { internalFlows } from './internal-channel/internal.ts';
import { nearMissFlows } from './linking/near-misses.ts';
import { exchangeTokenFlows, propertyFlows } from './linking/properties.ts';
import { batchFlows, oddBodyFlows } from './messages/batches.ts';
import { httpFlows } from './messages/http.ts';
import { messageRules, noSecretsInOutput, replyFlows } from './messages/replies.ts';
import { cacheFlows, othersPatientsFlows, readEndingFlows } from './record/others-patients.ts';
import { ownershipRules, signatureFlows } from './record/ownership.ts';
import { recordFlows } from './record/record.ts';
import { lookAlikeFlows } from './sessions/look-alikes.ts';
import { restartFlows, sessionFlows } from './sessions/sessions.ts';
import { timeFlows } from './sessions/time.ts';
import { stateTable } from './state-table.ts';

/** In the order in which they are played. */
export const ehrFlows: readonly EhrFlow[] = [
  ...exchangeTokenFlows,
  ...sessionFlows,
  ...signatureFlows,
  ...internalFlows,
  ...lookAlikeFlows,
  ...cacheFlows,
  ...propertyFlows,
  ...nearMissFlows,
  ...timeFlows,
  ...recordFlows,
  ...restartFlows,
  ...replyFlows,
  ...batchFlows,
  ...httpFlows,
  stateTable,
  ...atOnceFlows,
  ...othersPatientsFlows,
  ...racesOfStateFlows,
  ...readEndingFlows,
  ...oddBodyFlows,
];

export const allEhrChecks: readonly Check[] = [
  ...ehrFlows.flatMap(({ checks }) => checks),
  ...messageRules.map((make) => make(ehrFlows)),
  noSecretsInOutput,
  lateCallsRefused,
  ...ownershipRules.map((make) => make(ehrFlows)),
];
