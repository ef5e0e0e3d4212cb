/** All checks of an EHR server. */

import type { Check } from '../../checks/check.ts';
import type { EhrCheck } from '../check.ts';
import { atOnceChecks } from './at-once.ts';
import { batchChecks } from './batches.ts';
import { cacheChecks } from './caches.ts';
import { channelChecks } from './channels.ts';
import { codeChecks } from './codes.ts';
import { envelopeChecks } from './envelope.ts';
import { everySessionChecks } from './every-session.ts';
import { exchangeTokenChecks } from './exchange-token.ts';
import { guessingChecks } from './guessing.ts';
import { httpChecks } from './http.ts';
import { impersonationChecks } from './impersonation.ts';
import { internalChecks } from './internal.ts';
import { lifetimeChecks } from './lifetimes.ts';
import { lookAlikeChecks } from './look-alikes.ts';
import { matchingChecks } from './matching.ts';
import { nearMissChecks } from './near-misses.ts';
import { oddBodyChecks } from './odd-bodies.ts';
import { othersPatientsChecks } from './others-patients.ts';
import { patientsLetGo } from './patients-let-go.ts';
import { propertyChecks } from './properties.ts';
import { racesOfStateChecks } from './races-of-state.ts';
import { recordChecks } from './record.ts';
import { recordOfPatientChecks } from './record-of-patient.ts';
import { removalChecks } from './removals.ts';
import { replyChecks } from './replies.ts';
import { restartChecks } from './restart.ts';
import { sessionChecks } from './sessions.ts';
import { signatureChecks } from './signatures.ts';
import { stateTableChecks } from './state-table.ts';
import { timeChecks } from './time.ts';
import { toldOfOthers } from './told-of-others.ts';
import { wireChecks } from './wire.ts';

/** Checks with a scenario of their own. */
export const ehrChecks: readonly EhrCheck[] = [
  ...exchangeTokenChecks,
  ...sessionChecks,
  ...removalChecks,
  ...everySessionChecks,
  ...signatureChecks,
  ...internalChecks,
  ...channelChecks,
  ...lookAlikeChecks,
  ...impersonationChecks,
  ...cacheChecks,
  ...propertyChecks,
  ...matchingChecks,
  ...nearMissChecks,
  ...timeChecks,
  ...lifetimeChecks,
  ...recordChecks,
  ...recordOfPatientChecks,
  ...restartChecks,
  ...envelopeChecks,
  ...replyChecks,
  ...batchChecks,
  ...httpChecks,
  ...stateTableChecks,
  ...guessingChecks,
  ...atOnceChecks,
  ...othersPatientsChecks,
  ...racesOfStateChecks,
  ...oddBodyChecks,
];

/** All checks, with those that judge the messages of every scenario. */
export const allEhrChecks: readonly Check[] = [
  ...ehrChecks.map(({ check }) => check),
  ...wireChecks(ehrChecks),
  ...codeChecks(ehrChecks),
  toldOfOthers(ehrChecks),
  patientsLetGo(ehrChecks),
];
