/** The catalogue of defects and of harmless variants of an EHR server. */
import { batchDefects } from './batch-defects.ts';
import type { EhrDefect } from './defect.ts';
import { envelopeDefects } from './envelope-defects.ts';
import { errorCodeDefects } from './error-code-defects.ts';
import { exchangeTokenDefects } from './exchange-token-defects.ts';
import { formerLinkDefects } from './former-link-defects.ts';
import { httpDefects } from './http-defects.ts';
import { impersonationDefects } from './impersonation-defects.ts';
import { internalDefects } from './internal-defects.ts';
import { leftoverDefects } from './leftover-defects.ts';
import { lifetimeDefects } from './lifetime-defects.ts';
import { lookAlikeDefects } from './look-alike-defects.ts';
import { matchingDefects } from './matching-defects.ts';
import { nearMissDefects } from './near-miss-defects.ts';
import { othersRecordDefects } from './others-record-defects.ts';
import { raceDefects } from './race-defects.ts';
import { recordDefects } from './record-defects.ts';
import { restartDefects } from './restart-defects.ts';
import { sessionDefects } from './session-defects.ts';
import { stateDefects } from './state-defects.ts';
import { timeDefects } from './time-defects.ts';
import { wavedDefects } from './waved-defects.ts';
import { wireDefects } from './wire-defects.ts';

export { ehrHarmless } from './harmless.ts';

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
