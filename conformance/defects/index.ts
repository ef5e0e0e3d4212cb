/** The catalogue of defects and of harmless variants. */
import { atOnceDefects } from './at-once-defects.ts';
import { certificateDefects } from './certificate-defects.ts';
import { codeDefects } from './code-defects.ts';
import { codesAtOnceDefects } from './codes-at-once-defects.ts';
import type { Defect } from './defect.ts';
import { deviceDefects } from './device-defects.ts';
import { digestDefects } from './digest-defects.ts';
import { dyingDefects } from './dying.ts';
import { endedSessionDefects } from './ended-session-defects.ts';
import { furtherMakeDefects } from './further-make-defects.ts';
import { keptDefects } from './kept-defects.ts';
import { keptOnShapesDefects } from './kept-on-shapes.ts';
import { orderAndTimeDefects } from './order-and-time-defects.ts';
import { othersSessionDefects } from './others-session-defects.ts';
import { overRestartDefects } from './over-restart-defects.ts';
import { phoneDefects } from './phone-defects.ts';
import { remainsDefects } from './remains-defects.ts';
import { secrecyDefects } from './secrecy-defects.ts';
import { sendDefects } from './send-defects.ts';
import { sessionDefects } from './session-defects.ts';
import { signInDefects } from './sign-in-defects.ts';
import { signKeptDefects } from './sign-kept-defects.ts';
import { spoiltReplyDefects } from './spoilt-replies.ts';
import { troubleByCallDefects } from './trouble-by-call-defects.ts';
import { troubleDefects } from './trouble-defects.ts';
import { wireDefects } from './wire-defects.ts';

export { harmless } from './harmless.ts';

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
  ...overRestartDefects,
  ...signKeptDefects,
  ...remainsDefects,
];
