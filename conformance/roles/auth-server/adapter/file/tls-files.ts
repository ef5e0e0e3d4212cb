/** Reads and checks the certificates that an adapter file names, before anything listens with them. */
import { loadTls, type NamedFile } from '#service/tls/tls-files.ts';
import type { CertificatePair, ServerTls } from '../../../../engine/wire/tls-side.ts';
import type { AdapterSettings } from './schema/schema.ts';

export type TlsSettings = NonNullable<AdapterSettings['ehr']['tls']>;

/** The settings with each path mapped by `absolute`. */
export function resolvedFiles<T extends object>(tls: T, absolute: (path: string) => string): T {
  const resolved = Object.entries(tls).map(([key, value]) => [
    key,
    typeof value === 'string' ? absolute(value) : value && resolvedFiles(value, absolute),
  ]);
  return Object.fromEntries(resolved) as T;
}

/**
 * Reads the files.
 * @param now the time (ms) at which certificates must be valid
 * @throws SettingsError that names the file, its key in the adapter file, and what to do
 */
export function readTlsFiles(tls: TlsSettings, now: number): ServerTls {
  const { clientCa, otherName, foreign } = tls;
  const ca = clientCa === undefined ? undefined : { path: clientCa, setting: 'ehr.tls.clientCa' };
  const read = ({ cert, key }: Files, setting: string, ca?: NamedFile) => {
    const named = (path: string, name: string) => ({ path, setting: `${setting}.${name}` });
    return loadTls({ pair: { cert: named(cert, 'cert'), key: named(key, 'key') }, ca }, now).pem;
  };
  const pair = (files: Files, setting: string) => read(files, setting) as CertificatePair;
  const { ca: authorities, ...own } = read(tls, 'ehr.tls', ca);
  return {
    ...(own as CertificatePair),
    clientCa: authorities,
    otherName: otherName && pair(otherName, 'ehr.tls.otherName'),
    foreign: foreign && pair(foreign, 'ehr.tls.foreign'),
  };
}

type Files = { cert: string; key: string };
