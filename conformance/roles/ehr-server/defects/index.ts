/** The catalogue of defects and of harmless variants of an EHR server. */
import { harmlessMessages } from './harmless/harmless-messages.ts';
import { harmlessReplies } from './harmless/harmless-replies.ts';
import { harmlessServers } from './harmless/harmless-servers.ts';
import { digestDefects } from './internal-channel/digest-defects.ts';
import { internalDefects } from './internal-channel/internal-defects.ts';
import { exchangeTokenDefects } from './linking/exchange-token-defects.ts';
import { formDefects } from './linking/form-defects.ts';
import { matchingDefects } from './linking/matching-defects.ts';
import { nearMissDefects } from './linking/near-miss-defects.ts';
import { batchDefects } from './messages/batch-defects.ts';
import { envelopeDefects } from './messages/envelope-defects.ts';
import { errorCodeDefects } from './messages/error-code-defects.ts';
import { httpDefects } from './messages/http-defects.ts';
import { wavedDefects } from './messages/waved-defects.ts';
import { wireDefects } from './messages/wire-defects.ts';
import { raceDefects } from './race-defects.ts';
import { othersRecordDefects } from './record/others-record-defects.ts';
import { recordDefects } from './record/record-defects.ts';
import { formerLinkDefects } from './sessions/former-link-defects.ts';
import { impersonationDefects } from './sessions/impersonation-defects.ts';
import { leftoverDefects } from './sessions/leftover-defects.ts';
import { lifetimeDefects } from './sessions/lifetime-defects.ts';
import { lookAlikeDefects } from './sessions/look-alike-defects.ts';
import { restartDefects } from './sessions/restart-defects.ts';
import { sessionDefects } from './sessions/session-defects.ts';
import { timeDefects } from './sessions/time-defects.ts';
import { toldOfOthersDefects } from './sessions/told-of-others-defects.ts';
import { stateDefects } from './state-defects.ts';

/** In the order of the folders. */
export const ehrDefects = [
  digestDefects,
  internalDefects,
  exchangeTokenDefects,
  formDefects,
  matchingDefects,
  nearMissDefects,
  batchDefects,
  envelopeDefects,
  errorCodeDefects,
  httpDefects,
  wavedDefects,
  wireDefects,
  raceDefects,
  othersRecordDefects,
  recordDefects,
  formerLinkDefects,
  impersonationDefects,
  leftoverDefects,
  lifetimeDefects,
  lookAlikeDefects,
  restartDefects,
  sessionDefects,
  timeDefects,
  toldOfOthersDefects,
  stateDefects,
].flat();

export const ehrHarmless = [...harmlessMessages, ...harmlessReplies, ...harmlessServers];
