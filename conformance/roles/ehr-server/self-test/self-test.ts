/** The catalogue of the self-test of the role EHR server. */
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { EhrVariant } from '../defects/changes.ts';
import { ehrDefects, ehrHarmless } from '../defects/index.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from './play.ts';

/** The check that the self-test's file does not apply to: its ttl is in minutes. */
const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds'];

export const ehrCatalogue: Catalogue<EhrVariant> = {
  party: 'EHR server',
  checks: allEhrChecks,
  reference: { id: 'reference', title: 'The reference EHR server on memory' },
  mayNotApply: (check) => NOT_PLAYABLE.includes(check),
  mostPlayed: 4,
  defects: ehrDefects,
  harmless: ehrHarmless,
  play: (variant, { clock, seed, signal }, { scenarios }) =>
    playEhr(variant, { clock, seed, signal, ...(scenarios && { scenarios }) }),
};
