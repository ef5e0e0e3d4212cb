/** The catalogue of defects and of harmless variants. */
import type { Defect } from './defect.ts';
import { sessionDefects } from './session-defects.ts';
import { signInDefects } from './sign-in-defects.ts';
import { troubleDefects } from './trouble-defects.ts';
import { wireDefects } from './wire-defects.ts';

export { harmless } from './harmless.ts';

export const defects: readonly Defect[] = [...wireDefects, ...signInDefects, ...sessionDefects, ...troubleDefects];
