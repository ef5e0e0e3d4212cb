/** The file of a matrix: which parties are matched with each other. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type Env, section, text } from '#conformance/engine/party/file/fields.ts';
import { AdapterFileError } from '#conformance/engine/party/file/problem.ts';
import { readSource, settingsOf } from '#conformance/engine/party/file/read-settings.ts';
import {
  type LoadedParties,
  loadParties,
  PartyFileError,
  type PartyFiles,
  type Role,
} from '../parties/load.ts';

const OURS = 'ours';

const parties = z.array(text, 'must be a list of files').min(1, 'must name a party').default([OURS]);

const schema = section({
  authServers: parties.describe('Files of authorization servers'),
  ehrServers: parties.describe('Files of EHR servers'),
  clients: parties.describe('Files of clients'),
  pairs: z
    .array(z.enum(['msw'], "must be 'msw'"), 'must be a list')
    .default([])
    .describe('Servers that come as a pair: the handlers for msw'),
});

/** The parties of one cell, and their files as the matrix names them. */
export type Combination = { readonly files: Readonly<Record<Role, string>>; readonly loaded: LoadedParties };

/** Loads the parties of every combination. @throws PartyFileError */
export async function loadMatrix(file: string, env: Env): Promise<Combination[]> {
  const { clients, authServers, ehrServers, pairs } = readSettings(file);
  const combinations: Combination[] = [];
  for (const client of clients) {
    for (const auth of authServers)
      for (const ehr of ehrServers)
        combinations.push(await load(file, { client, 'auth-server': auth, 'ehr-server': ehr }, env));
    for (const pair of pairs) {
      const { files, loaded } = await load(file, { client, 'auth-server': OURS, 'ehr-server': OURS }, env);
      const both = { ...files, 'auth-server': pair, 'ehr-server': pair };
      combinations.push({ files: both, loaded: { ...loaded, pair } });
    }
  }
  return combinations;
}

async function load(file: string, files: Record<Role, string>, env: Env): Promise<Combination> {
  const given = Object.entries(files).filter(([, name]) => name !== OURS);
  const found: PartyFiles = Object.fromEntries(
    given.map(([role, name]) => [role, resolve(dirname(file), name)]),
  );
  return { files, loaded: await loadParties(found, env) };
}

function readSettings(file: string): z.output<typeof schema> {
  if (!existsSync(file)) {
    const example = 'conformance/examples/interop.yaml is an example.';
    throw new PartyFileError(`Failed to read the list of parties ${file}: there is no such file. ${example}`);
  }
  try {
    return settingsOf(file, readSource(file), { env: {}, schema: () => schema }).settings;
  } catch (error) {
    if (error instanceof AdapterFileError) throw new PartyFileError(error.message, { cause: error });
    throw error;
  }
}
