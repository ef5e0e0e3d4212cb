/** The catalogue of clients. */
import { fileURLToPath } from 'node:url';
import type { Catalogue } from '../../../engine/defects/catalogue.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { clientDefects, harmlessClients, REFERENCE } from '../defects/index.mjs';
import { browserChecks } from '../flows/browser.ts';
import { allClientChecks } from '../flows/index.ts';
import { playClient } from './play.ts';

const TWIN = fileURLToPath(new URL('../defects/twin.mjs', import.meta.url));

export const clientCatalogue: Catalogue<ClientVariant> = {
  party: 'client',
  checks: allClientChecks,
  references: [REFERENCE],
  // The variants are driven by a command.
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
