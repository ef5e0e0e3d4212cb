/** Variants that differ from the reference and are just as right: none of them may change a verdict. */
import type { EhrHarmless } from './defect.ts';

export const ehrHarmless: readonly EhrHarmless[] = [];
