/** All defects, which checks must find, and all harmless variants, which none may report. */
import { digestDefects } from './calls/digest.ts';
import { envelopeDefects } from './calls/envelope.ts';
import { acceptanceDefects } from './codes/acceptance.ts';
import { sendingDefects } from './codes/sending.ts';
import { triesDefects } from './codes/tries.ts';
import { codeValueDefects } from './codes/values.ts';
import type { Defect } from './defect.ts';
import { endingDefects } from './sessions/endings.ts';
import { linkDefects } from './sessions/links.ts';
import { meanwhileDefects } from './sessions/meanwhile.ts';
import { recognitionDefects } from './sessions/recognition.ts';
import { saveDefects } from './sessions/saves.ts';
import { tokenDefects } from './sessions/tokens.ts';
import { toldDefects } from './sessions/told.ts';
import { userDefects } from './sessions/users.ts';
import { troubleDefects } from './trouble/trouble.ts';

export { harmless } from './harmless/harmless.ts';

/** All defects, in the order of the page of defects. Each line is of one folder. */
export const defects: readonly Defect[] = [
  ...[digestDefects, envelopeDefects],
  ...[codeValueDefects, acceptanceDefects, sendingDefects, triesDefects],
  ...[tokenDefects, recognitionDefects, endingDefects, meanwhileDefects],
  ...[userDefects, linkDefects, saveDefects, toldDefects],
  ...troubleDefects,
].flat();
