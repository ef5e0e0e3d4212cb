/** Loads the files of the parties of a run, and says in one sentence what is wrong with one. */
import { fileURLToPath } from 'node:url';
import type { Env } from '#conformance/engine/party/file/fields.ts';
import { AdapterFileError } from '#conformance/engine/party/file/problem.ts';
import { readText } from '#conformance/engine/party/file/read-settings.ts';
import { readYaml } from '#conformance/engine/party/file/yaml-source.ts';
import { type LoadedAdapter, loadAdapter } from '#conformance/roles/auth-server/adapter/file/load.ts';
import { type LoadedClientFile, loadClientFile } from '#conformance/roles/client/settings.ts';
import { type LoadedEhrFile, loadEhrFile } from '#conformance/roles/ehr-server/settings.ts';
import { isObject } from '#protocol/wire/envelope.ts';

export const roles = ['auth-server', 'ehr-server', 'client'] as const;
export type Role = (typeof roles)[number];

export type PartyFiles = Readonly<Partial<Record<Role, string>>>;

export type LoadedParties = {
  readonly auth: { readonly loaded: LoadedAdapter; readonly isOwn: boolean };
  readonly ehr: LoadedEhrFile | undefined;
  readonly client: LoadedClientFile | undefined;
  readonly pair?: 'msw';
};

/** A party cannot be used. The message says which file, why, and what to do. */
export class PartyFileError extends Error {
  override name = 'PartyFileError';
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  'auth-server': 'an authorization server',
  'ehr-server': 'an EHR server',
  client: 'a client',
};

const exampleFile = (name: string) =>
  fileURLToPath(new URL(`../../conformance/examples/${name}`, import.meta.url));

const OWN_AUTH_FILE = exampleFile('mock.yaml');

/** Our web client with its page, in a browser. */
export const OWN_PAGE_FILE = exampleFile('web-client.yaml');

/** Gives both servers the same internal credentials. @throws PartyFileError */
export async function loadParties(files: PartyFiles, env: Env): Promise<LoadedParties> {
  try {
    for (const role of roles) if (files[role] !== undefined) rejectOtherRole(files[role], role);
    const client = files.client === undefined ? undefined : loadClientFile(files.client, env);
    const ehr = files['ehr-server'] === undefined ? undefined : loadEhrFile(files['ehr-server'], env);
    const isOwn = files['auth-server'] === undefined;
    const auth = await loadAdapter(files['auth-server'] ?? OWN_AUTH_FILE, env);
    if (!isOwn) rejectOtherVersion(auth, ehr);
    return { client, ...withOneSecret({ loaded: auth, isOwn }, ehr) };
  } catch (error) {
    if (error instanceof AdapterFileError) throw new PartyFileError(error.message, { cause: error });
    throw error;
  }
}

/** Tells the role that a file is about, by the sections that only this role has. */
function rejectOtherRole(file: string, role: Role): void {
  if (!/\.(ya?ml|json)$/i.test(file)) return;
  const source = readYaml(readText(file));
  const data = Array.isArray(source) ? undefined : source.data;
  if (!isObject(data)) return;
  const found = roleOf(data);
  if (found === undefined || found === role) return;
  throw new PartyFileError(
    `The file ${file} is about ${ROLE_WORDS[found]}, and --${role} needs one about ${ROLE_WORDS[role]}. Please give it as --${found}.`,
  );
}

function roleOf(data: Record<string, unknown>): Role | undefined {
  if ('client' in data) return 'client';
  if (isObject(data.people) && 'matching' in data.people) return 'ehr-server';
  return 'steps' in data || 'otp' in data ? 'auth-server' : undefined;
}

/** An authorization server calls the path that its file states. Our own is told that of the EHR server. */
function rejectOtherVersion({ file, settings }: LoadedAdapter, ehr: LoadedEhrFile | undefined): void {
  const url = ehr?.settings.internalUrl ?? ehr?.settings.server.url ?? OWN_ENDPOINT;
  // The ports stand in templates until the servers are started.
  const path = url.replace(/^\w+:\/\/[^/]*/, '');
  const { apiVersion } = settings.ehr;
  const called = apiVersion === '' ? '/' : `/${apiVersion}/`;
  if (path.replace(/\/*$/, '/') === called) return;
  throw new PartyFileError(
    `The EHR server listens for the authorization server at the path ${path}, and the file ${file} states that ${called} is called. Please correct ehr.apiVersion there.`,
  );
}

const OWN_ENDPOINT = 'http://127.0.0.1/1.0-alpha/';

/** A server that the kit starts is given the credentials of the other one. */
function withOneSecret(
  auth: LoadedParties['auth'],
  ehr: LoadedEhrFile | undefined,
): Pick<LoadedParties, 'auth' | 'ehr'> {
  // Our own EHR server takes the credentials of any other party.
  if (!ehr) return { auth, ehr };
  const { loaded, isOwn } = auth;
  const [own, wanted] = [loaded.settings.internal, ehr.settings.internal];
  if (own.user === wanted.user && own.password === wanted.password) return { auth, ehr };
  if (isOwn || takesSecret(loaded.settings.server)) {
    const settings = { ...loaded.settings, internal: { ...own, ...wanted } };
    const secrets = [...loaded.secrets, wanted.password];
    return { auth: { isOwn, loaded: { ...loaded, settings, secrets } }, ehr };
  }
  if (takesSecret(ehr.settings.server)) {
    const settings = { ...ehr.settings, internal: { ...wanted, ...own } };
    return { auth, ehr: { ...ehr, settings, secrets: [...ehr.secrets, own.password] } };
  }
  throw new PartyFileError(
    `The files ${loaded.file} and ${ehr.file} state different internal credentials. Please state the same in both.`,
  );
}

function takesSecret({ start }: LoadedAdapter['settings']['server']): boolean {
  return start !== undefined && JSON.stringify([start.command, start.env]).includes(PASSWORD_TEMPLATE);
}

const PASSWORD_TEMPLATE = ['$', '{internalPassword}'].join('');
