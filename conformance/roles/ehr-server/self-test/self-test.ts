/** The catalogue of the self-test of the role EHR server. */
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { EhrVariant } from '../defects/changes.ts';
import { harmlessMessages, harmlessServers, otherPolicies } from '../defects/harmless.ts';
import {
  exchangeTokenDefects,
  matchingDefects,
  nearMissDefects,
} from '../defects/linking/matching-defects.ts';
import {
  envelopeDefects,
  headerDefects,
  httpDefects,
  recordDefects,
  wavedDefects,
  wireDefects,
} from '../defects/messages/message-defects.ts';
import {
  batchDefects,
  digestDefects,
  formerLinkDefects,
  internalDefects,
  othersDefects,
} from '../defects/sessions/others-defects.ts';
import {
  lookAlikeDefects,
  raceDefects,
  sessionDefects,
  stateDefects,
} from '../defects/sessions/session-defects.ts';
import { endingDefects, restartDefects, timeDefects } from '../defects/sessions/time-defects.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from './serve.ts';

export const ehrDefects = [
  ...[digestDefects, internalDefects, exchangeTokenDefects, matchingDefects, nearMissDefects],
  ...[batchDefects, envelopeDefects, httpDefects, headerDefects, recordDefects, wavedDefects, wireDefects],
  ...[raceDefects, endingDefects, formerLinkDefects, lookAlikeDefects, othersDefects, restartDefects],
  ...[sessionDefects, timeDefects, stateDefects],
].flat();

export const ehrHarmless = [...harmlessMessages, ...harmlessServers, ...otherPolicies];

/** Checks that the self-test's file does not apply to: its ttl is in minutes, and it speaks plain HTTP. */
const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds', 'internal-certificate-demanded'];

export const ehrCatalogue: Catalogue<EhrVariant> = {
  party: 'EHR server',
  checks: allEhrChecks,
  reference: { id: 'reference', title: 'The reference EHR server on memory' },
  mayNotApply: (check) => NOT_PLAYABLE.includes(check),
  mostPlayed: 4,
  defects: ehrDefects,
  harmless: ehrHarmless,
  play: (variant, { clock, seed, signal }, { scenarios }) =>
    playEhr(variant, { clock, seed, signal, ...(scenarios && { scenarios }) }),
};
