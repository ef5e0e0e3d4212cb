/** Reads and checks the certificates that an adapter file names, before anything listens with them. */
import { loadTls, type NamedFile, type Pair } from '#service/tls/tls-files.ts';
import type { CertificatePair, ServerTls } from '../../../../engine/wire/tls-side.ts';
import type { AdapterSettings } from './schema.ts';

export type TlsSettings = NonNullable<AdapterSettings['ehr']['tls']>;

/** The settings with each path mapped by `absolute`. */
export function resolvedFiles(tls: TlsSettings, absolute: (path: string) => string): TlsSettings {
  const pair = ({ cert, key }: { cert: string; key: string }) => ({
    cert: absolute(cert),
    key: absolute(key),
  });
  return {
    ...pair(tls),
    ...(tls.clientCa !== undefined && { clientCa: absolute(tls.clientCa) }),
    ...(tls.otherName && { otherName: pair(tls.otherName) }),
    ...(tls.foreign && { foreign: pair(tls.foreign) }),
  };
}

/**
 * Reads the files.
 * @param now the time (ms) at which certificates must be valid
 * @throws SettingsError that names the file, its key in the adapter file, and what to do
 */
export function readTlsFiles(tls: TlsSettings, now: number): ServerTls {
  const { clientCa, otherName, foreign } = tls;
  const ca = clientCa === undefined ? undefined : named(clientCa, 'ehr.tls.clientCa');
  const { pem } = loadTls({ pair: pairOf(tls, 'ehr.tls'), ca }, now);
  return {
    ...(pem as CertificatePair),
    clientCa: pem.ca,
    otherName: otherName && readPair(otherName, 'ehr.tls.otherName', now),
    foreign: foreign && readPair(foreign, 'ehr.tls.foreign', now),
  };
}

function readPair(files: { cert: string; key: string }, place: string, now: number): CertificatePair {
  return loadTls({ pair: pairOf(files, place) }, now).pem as CertificatePair;
}

function pairOf({ cert, key }: { cert: string; key: string }, place: string): Pair {
  return { cert: named(cert, `${place}.cert`), key: named(key, `${place}.key`) };
}

function named(path: string, setting: string): NamedFile {
  return { path, setting };
}
