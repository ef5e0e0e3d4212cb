/** The catalogue of the self-test of the role EHR server. */
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { EhrVariant } from '../defects/changes.ts';
import { ehrHarmless } from '../defects/harmless.ts';
import { timeDefects } from '../defects/lifetimes.ts';
import { linkingDefects } from '../defects/linking.ts';
import { messageDefects } from '../defects/messages.ts';
import { othersDefects } from '../defects/other-users.ts';
import { sessionDefects } from '../defects/sessions.ts';
import { allEhrChecks } from '../flows/index.ts';
import { playEhr } from './serve.ts';

export const ehrDefects = [
  ...linkingDefects,
  ...messageDefects,
  ...othersDefects,
  ...sessionDefects,
  ...timeDefects,
];

/** Checks that the self-test's file does not apply to: its ttl is in minutes, and it speaks plain HTTP. */
const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds', 'internal-certificate-demanded'];

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
