/** The catalogue of defects and of harmless variants of an EHR server. */

import type { EhrDefect } from './defect.ts';
import { internalDefects } from './internal-channel/internal-defects.ts';
import { exchangeTokenDefects } from './linking/exchange-token-defects.ts';
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
import { stateDefects } from './state-defects.ts';

export { ehrHarmless } from './harmless/harmless.ts';

export const ehrDefects: readonly EhrDefect[] = [
  ...exchangeTokenDefects,
  ...sessionDefects,
  ...wavedDefects,
  ...lookAlikeDefects,
  ...formerLinkDefects,
  ...impersonationDefects,
  ...internalDefects,
  ...batchDefects,
  ...matchingDefects,
  ...nearMissDefects,
  ...timeDefects,
  ...lifetimeDefects,
  ...leftoverDefects,
  ...recordDefects,
  ...othersRecordDefects,
  ...restartDefects,
  ...envelopeDefects,
  ...wireDefects,
  ...errorCodeDefects,
  ...httpDefects,
  ...raceDefects,
  ...stateDefects,
];
