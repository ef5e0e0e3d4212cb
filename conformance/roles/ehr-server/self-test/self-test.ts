/** Proves the checks of an EHR server: each defect is found, and no harmless variant fails. */
import { type Catalogue, OneShape } from '../../../engine/defects/one-shape.ts';
import type { EhrVariant } from '../defects/defect.ts';
import { ehrDefects, ehrHarmless } from '../defects/index.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from './play.ts';

/** Checks that the file of the self-test cannot play: it is about another unit of ttl, and other ids. */
export const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds', 'id-as-sent'];

export const ehrCatalogue: Catalogue<EhrVariant> = {
  party: 'EHR server',
  checks: allEhrChecks,
  notPlayable: NOT_PLAYABLE,
  reference: { id: 'reference', title: 'The reference EHR server on memory', change: {} },
  defects: ehrDefects,
  harmless: ehrHarmless,
  play: ({ change, settings }, { clock, seed, signal }, scenarios) =>
    playEhr(change, { clock, seed, signal, ...(settings && { settings }), ...(scenarios && { scenarios }) }),
};

export const ehrSelfTest = new OneShape(ehrCatalogue);
