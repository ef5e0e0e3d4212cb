import type { DefectOf, HarmlessOf, Variant } from './catalogue.ts';

type About<Whole> = Omit<Whole, 'id' | 'caughtBy'>;

export function defect<Change>(
  caughtBy: string,
  id: string,
  about: About<DefectOf<Variant & Change>>,
): DefectOf<Variant & Change>;

export function harmless<Change>(
  id: string,
  about: About<HarmlessOf<Variant & Change>>,
): HarmlessOf<Variant & Change>;
