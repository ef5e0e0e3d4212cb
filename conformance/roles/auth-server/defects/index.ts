/** The catalogue of defects and of harmless variants. */

import { certificateDefects } from './calls/certificate.ts';
import { digestDefects } from './calls/digest.ts';
import { furtherMakeDefects } from './calls/further-make.ts';
import { orderAndTimeDefects } from './calls/order-and-time.ts';
import { secrecyDefects } from './calls/secrecy.ts';
import { sessionSecretDefects } from './calls/session-secrets.ts';
import { wireDefects } from './calls/wire.ts';
import { codeDefects } from './codes/code.ts';
import { codesAtOnceDefects } from './codes/codes-at-once.ts';
import { computedDefects } from './codes/computed.ts';
import { deviceDefects } from './codes/device.ts';
import { phoneDefects } from './codes/phone.ts';
import { sendDefects } from './codes/send.ts';
import { signInDefects } from './codes/sign-in.ts';
import { triesDefects } from './codes/tries.ts';
import { triesForgottenDefects } from './codes/tries-forgotten.ts';
import type { Defect } from './defect.ts';
import { atOnceDefects } from './sessions/at-once.ts';
import { endedSessionDefects } from './sessions/ended-session.ts';
import { furtherSaveDefects } from './sessions/further-saves.ts';
import { keptDefects } from './sessions/kept.ts';
import { keptOnShapesDefects } from './sessions/kept-on-shapes.ts';
import { linkedAnewDefects } from './sessions/linked-anew.ts';
import { othersGoOnDefects } from './sessions/others-go-on.ts';
import { othersSessionDefects } from './sessions/others-session.ts';
import { overRestartDefects } from './sessions/over-restart.ts';
import { recognisedDefects } from './sessions/recognised.ts';
import { remainsDefects } from './sessions/remains.ts';
import { sessionDefects } from './sessions/session.ts';
import { signKeptDefects } from './sessions/sign-kept.ts';
import { toldOthersDefects } from './sessions/told-others.ts';
import { dyingDefects } from './trouble/dying.ts';
import { spoiltReplyDefects } from './trouble/spoilt-replies.ts';
import { troubleDefects } from './trouble/trouble.ts';
import { troubleByCallDefects } from './trouble/trouble-by-call.ts';

export { harmless } from './harmless/harmless.ts';

export const defects: readonly Defect[] = [
  ...digestDefects,
  ...wireDefects,
  ...signInDefects,
  ...sessionDefects,
  ...endedSessionDefects,
  ...troubleDefects,
  ...troubleByCallDefects,
  ...codesAtOnceDefects,
  ...atOnceDefects,
  ...deviceDefects,
  ...codeDefects,
  ...sendDefects,
  ...spoiltReplyDefects,
  ...keptDefects,
  ...keptOnShapesDefects,
  ...secrecyDefects,
  ...orderAndTimeDefects,
  ...dyingDefects,
  ...certificateDefects,
  ...furtherMakeDefects,
  ...phoneDefects,
  ...othersSessionDefects,
  ...othersGoOnDefects,
  ...overRestartDefects,
  ...signKeptDefects,
  ...remainsDefects,
  ...linkedAnewDefects,
  ...triesDefects,
  ...computedDefects,
  ...furtherSaveDefects,
  ...sessionSecretDefects,
  ...triesForgottenDefects,
  ...toldOthersDefects,
  ...recognisedDefects,
];
