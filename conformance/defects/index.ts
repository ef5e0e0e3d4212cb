/** The catalogue of defects and of harmless variants. */
import type { Defect } from './defect.ts';
import { serverDefects } from './server-defects.ts';
import { troubleDefects } from './trouble-defects.ts';
import { wireDefects } from './wire-defects.ts';

export { harmless } from './harmless.ts';

export const defects: readonly Defect[] = [...wireDefects, ...serverDefects, ...troubleDefects];
