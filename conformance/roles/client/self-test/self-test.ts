/** The catalogue of the client role for the self-test. */
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { clientDefects, harmlessClients, REFERENCE } from '../defects/index.mjs';
import { browserFlows } from '../flows/browser.ts';
import { allClientChecks } from '../flows/index.ts';
import { playClient, TWIN } from './play.ts';

const NEEDS_MORE = new Set(browserFlows.flatMap(({ checks }) => checks).map(({ id }) => id));

export const clientCatalogue: Catalogue<ClientVariant> = {
  party: 'client',
  checks: allClientChecks,
  reference: REFERENCE,
  // The kit drives these clients by a command.
  mayNotApply: (check) => NEEDS_MORE.has(check),
  mostPlayed: 4,
  defects: clientDefects,
  harmless: harmlessClients,
  play: ({ id, file }, { signal }, { scenarios }) =>
    playClient({
      signal,
      ...(file && { file }),
      ...(id !== REFERENCE.id && { program: TWIN, env: { DEFECT: id } }),
      ...(scenarios && { scenarios }),
    }),
};
