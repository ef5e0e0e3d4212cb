/** All defects, which checks must find, and all harmless variants, which none may report. */
import { digestDefects, envelopeDefects } from './calls.ts';
import { acceptanceDefects, triesDefects } from './codes/acceptance.ts';
import { codeValueDefects, sendingDefects } from './codes/values.ts';
import { endingDefects, meanwhileDefects } from './sessions/endings.ts';
import { linkDefects, saveDefects } from './sessions/saves.ts';
import { tokenDefects, toldDefects } from './sessions/tokens.ts';
import { recognitionDefects, userDefects } from './sessions/users.ts';
import { troubleDefects } from './trouble.ts';

export { harmlessServers as harmless } from './harmless.ts';

/** All defects, in the order of the page of defects. Each line is of one folder. */
export const defects = [
  ...[digestDefects, envelopeDefects],
  ...[codeValueDefects, acceptanceDefects, sendingDefects, triesDefects],
  ...[tokenDefects, recognitionDefects, endingDefects, meanwhileDefects],
  ...[userDefects, linkDefects, saveDefects, toldDefects],
  ...troubleDefects,
].flat();
