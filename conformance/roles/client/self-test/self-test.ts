/**
 * The catalogue of the client role for the self-test: its checks, and the right and wrong clients that must
 * pass and fail them.
 */
import { fileURLToPath } from 'node:url';
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { clientDefects, harmlessClients, REFERENCE } from '../defects/index.mjs';
import { browserChecks } from '../flows/browser.ts';
import { allClientChecks } from '../flows/index.ts';
import { playClient } from './play.ts';

/** The right client with one defect, which the variable DEFECT names. */
const TWIN = fileURLToPath(new URL('../defects/twin.mjs', import.meta.url));

/** Each variant is played with at most four scenarios: the first of its check show its defect. */
export const clientCatalogue: Catalogue<ClientVariant> = {
  party: 'client',
  checks: allClientChecks,
  references: [REFERENCE],
  // The kit drives these clients by a command, so the checks that need a browser do not apply.
  mayNotApply: (_reference, check) => browserChecks.some((each) => each.check.id === check),
  mostPlayed: 4,
  defects: clientDefects,
  harmless: harmlessClients,
  play: ({ id }, { signal }, { scenarios }) =>
    playClient({
      signal,
      ...(id !== REFERENCE.id && { program: TWIN, env: { DEFECT: id } }),
      ...(scenarios && { scenarios }),
    }),
};
