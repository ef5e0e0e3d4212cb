/** Proves the checks of a client: each defect is found, and no harmless variant fails. */
import { fileURLToPath } from 'node:url';
import { type Catalogue, OneShape } from '../../../engine/defects/one-shape.ts';
import type { ClientVariant } from '../defects/index.mjs';
import { clientDefects, harmlessClients, REFERENCE } from '../defects/index.mjs';
import { browserChecks } from '../flows/browser.ts';
import { allClientChecks } from '../flows/index.ts';
import { playClient } from './play.ts';

const TWIN = fileURLToPath(new URL('../defects/twin.mjs', import.meta.url));

export const clientCatalogue: Catalogue<ClientVariant> = {
  party: 'client',
  checks: allClientChecks,
  // The variants are driven by a command.
  notPlayable: browserChecks.map(({ check }) => check.id),
  reference: REFERENCE,
  defects: clientDefects,
  harmless: harmlessClients,
  play: ({ id }, { signal }, scenarios) =>
    playClient({
      signal,
      ...(id !== REFERENCE.id && { program: TWIN, env: { DEFECT: id } }),
      ...(scenarios && { scenarios }),
    }),
};

export const clientSelfTest = new OneShape<ClientVariant>(clientCatalogue);
