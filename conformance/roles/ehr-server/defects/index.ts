/** Lists all defects and harmless variants of an EHR server, for the self-test. */
import { harmlessMessages } from './harmless/harmless-messages.ts';
import { harmlessServers } from './harmless/harmless-servers.ts';
import { otherPolicies } from './harmless/other-policies.ts';
import { digestDefects } from './internal-channel/digest-defects.ts';
import { internalDefects } from './internal-channel/internal-defects.ts';
import { exchangeTokenDefects } from './linking/exchange-token-defects.ts';
import { matchingDefects } from './linking/matching-defects.ts';
import { nearMissDefects } from './linking/near-miss-defects.ts';
import { batchDefects } from './messages/batch-defects.ts';
import { envelopeDefects } from './messages/envelope-defects.ts';
import { headerDefects } from './messages/header-defects.ts';
import { httpDefects } from './messages/http-defects.ts';
import { recordDefects } from './messages/record-defects.ts';
import { wavedDefects } from './messages/waved-defects.ts';
import { wireDefects } from './messages/wire-defects.ts';
import { raceDefects } from './race-defects.ts';
import { endingDefects } from './sessions/ending-defects.ts';
import { formerLinkDefects } from './sessions/former-link-defects.ts';
import { lookAlikeDefects } from './sessions/look-alike-defects.ts';
import { othersDefects } from './sessions/others-defects.ts';
import { restartDefects } from './sessions/restart-defects.ts';
import { sessionDefects } from './sessions/session-defects.ts';
import { timeDefects } from './sessions/time-defects.ts';
import { stateDefects } from './state-defects.ts';

/** All defects, in the order of the folders: internal-channel, linking, messages, then the others. */
export const ehrDefects = [
  ...[digestDefects, internalDefects, exchangeTokenDefects, matchingDefects, nearMissDefects],
  ...[batchDefects, envelopeDefects, httpDefects, headerDefects, recordDefects, wavedDefects, wireDefects],
  ...[raceDefects, endingDefects, formerLinkDefects, lookAlikeDefects, othersDefects, restartDefects],
  ...[sessionDefects, timeDefects, stateDefects],
].flat();

export const ehrHarmless = [...harmlessMessages, ...harmlessServers, ...otherPolicies];
