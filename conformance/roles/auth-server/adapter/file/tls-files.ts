/** Reads and checks the certificates that an adapter file names for the kit's EHR server. */
import { loadTls, type NamedFile } from '#service/tls/tls-files.ts';
import type { CertificatePair, ServerTls } from '../../../../engine/wire/tls-side.ts';
import type { AdapterSettings } from './schema/schema.ts';

/** The section `ehr.tls` of an adapter file: paths of certificates and keys. */
export type TlsSettings = NonNullable<AdapterSettings['ehr']['tls']>;

/** Returns the settings with each path mapped by `absolute`, those in nested sections too. */
export function resolvedFiles<T extends object>(tls: T, absolute: (path: string) => string): T {
  const resolved = Object.entries(tls).map(([key, value]) => [
    key,
    typeof value === 'string' ? absolute(value) : value && resolvedFiles(value, absolute),
  ]);
  return Object.fromEntries(resolved) as T;
}

/** Reads all certificates, which must be valid `now` (ms). SettingsError names file and key. */
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
    // `loadTls` always returns a certificate and a key where a pair is named; its type does not say so.
    ...(own as CertificatePair),
    clientCa: authorities,
    otherName: otherName && pair(otherName, 'ehr.tls.otherName'),
    foreign: foreign && pair(foreign, 'ehr.tls.foreign'),
  };
}

type Files = { cert: string; key: string };
