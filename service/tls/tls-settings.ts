/** The TLS settings that several parties share, and how they combine. */
import { z } from 'zod';
import { type Setting, SettingsError } from '../process/command-line/settings.ts';
import type { NamedFile, Pair } from './tls-files.ts';

/** The path of a file. If its contents are given by mistake, errors do not repeat them. */
const path = z
  .string()
  .min(1, 'must name a file')
  .refine((value) => !value.includes('-----BEGIN'), 'must name a file, not hold its contents')
  .optional();

type FileSetting = Setting<string | undefined>;

/**
 * Define the setting of one file: `fileSetting('tls-key', 'EHR', '…')` gives `--tls-key` and `EHR_TLS_KEY`.
 */
export function fileSetting(
  name: string,
  prefix: string,
  help: string,
): FileSetting & { schema: typeof path } {
  const env = `${prefix}_${name.replaceAll('-', '_').toUpperCase()}`;
  return { flag: `--${name} <file>`, env, schema: path, secret: true, help };
}

/** The settings for the certificate and key of a party's own listener. */
export function listenerTlsSettings(prefix: 'EHR' | 'AUTH' | 'CLIENT') {
  return {
    tlsCert: fileSetting(
      'tls-cert',
      prefix,
      'certificate of the listener in PEM format, followed by those between it and its authority; absent: plain HTTP',
    ),
    tlsKey: fileSetting('tls-key', prefix, 'private key of --tls-cert in PEM format, unencrypted'),
  };
}

/** A given file with the setting that names it. */
export function namedFile(path: string | undefined, { flag, env }: FileSetting): NamedFile | undefined {
  return path === undefined ? undefined : { path, setting: `${flag.split(' ')[0]} (${env})` };
}

/**
 * Combine certificate and key; undefined when neither is given.
 * @throws SettingsError when one is given without the other
 */
export function pairOf(
  cert: string | undefined,
  key: string | undefined,
  settings: { cert: FileSetting; key: FileSetting },
): Pair | undefined {
  const pair = { cert: namedFile(cert, settings.cert), key: namedFile(key, settings.key) };
  if (pair.cert && pair.key) return { cert: pair.cert, key: pair.key };
  if (!pair.cert && !pair.key) return undefined;
  const [there, missing] = pair.cert ? [settings.cert, settings.key] : [settings.key, settings.cert];
  const nameOf = ({ flag, env }: FileSetting) => `${flag.split(' ')[0]} (environment variable ${env})`;
  throw new SettingsError(
    `${nameOf(there)} is given without ${nameOf(missing)}. Please give both, or neither.`,
  );
}
