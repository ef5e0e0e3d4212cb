/** Lists all defects and harmless variants of an EHR server, for the self-test. */
import { harmlessMessages, harmlessServers, otherPolicies } from './harmless.ts';
import { batchDefects, digestDefects, internalDefects } from './internal-channel/internal-defects.ts';
import { exchangeTokenDefects, matchingDefects, nearMissDefects } from './linking/matching-defects.ts';
import {
  envelopeDefects,
  headerDefects,
  httpDefects,
  recordDefects,
  wavedDefects,
  wireDefects,
} from './messages/message-defects.ts';
import { formerLinkDefects, othersDefects } from './sessions/others-defects.ts';
import { lookAlikeDefects, raceDefects, sessionDefects, stateDefects } from './sessions/session-defects.ts';
import { endingDefects, restartDefects, timeDefects } from './sessions/time-defects.ts';

export const ehrDefects = [
  ...[digestDefects, internalDefects, exchangeTokenDefects, matchingDefects, nearMissDefects],
  ...[batchDefects, envelopeDefects, httpDefects, headerDefects, recordDefects, wavedDefects, wireDefects],
  ...[raceDefects, endingDefects, formerLinkDefects, lookAlikeDefects, othersDefects, restartDefects],
  ...[sessionDefects, timeDefects, stateDefects],
].flat();

export const ehrHarmless = [...harmlessMessages, ...harmlessServers, ...otherPolicies];
