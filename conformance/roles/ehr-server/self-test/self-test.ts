/** The catalogue of EHR servers. */
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { EhrVariant } from '../defects/defect.ts';
import { ehrDefects, ehrHarmless } from '../defects/index.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from './play.ts';

/** Checks that the file of the self-test cannot play: it is about another unit of ttl, and other ids. */
export const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds', 'id-as-sent'];

export const ehrCatalogue: Catalogue<EhrVariant> = {
  party: 'EHR server',
  checks: allEhrChecks,
  references: [{ id: 'reference', title: 'The reference EHR server on memory' }],
  mayNotApply: (_reference, check) => NOT_PLAYABLE.includes(check),
  mostPlayed: 4,
  defects: ehrDefects,
  harmless: ehrHarmless,
  play: (variant, { clock, seed, signal }, { scenarios }) =>
    playEhr(variant, { clock, seed, signal, ...(scenarios && { scenarios }) }),
};
