/** The settings of TLS that several parties share, and what they come to together. */
import { z } from 'zod';
import { type Setting, SettingsError } from './settings.ts';
import type { NamedFile, Pair } from './tls-files.ts';

/** A file; the contents of one, given by mistake, are not repeated. */
const path = z
  .string()
  .min(1, 'must name a file')
  .refine((value) => !value.includes('-----BEGIN'), 'must name a file, not hold its contents')
  .optional();

type FileSetting = Setting<string | undefined>;

/** The setting of one file, such as `fileSetting('tls-key', 'EHR', '…')` for `--tls-key` and `EHR_TLS_KEY`. */
export function fileSetting(name: string, prefix: string, help: string): FileSetting & { schema: typeof path } {
  const env = `${prefix}_${name.replaceAll('-', '_').toUpperCase()}`;
  return { flag: `--${name} <file>`, env, schema: path, secret: true, help };
}

/** Certificate and key of a party's own listener. */
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

/** A file that was given, with the setting that gave it. */
export function namedFile(path: string | undefined, { flag, env }: FileSetting): NamedFile | undefined {
  return path === undefined ? undefined : { path, setting: `${flag.split(' ')[0]} (${env})` };
}

/**
 * Certificate and key, when both are given.
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
  throw new SettingsError(`${nameOf(there)} is given without ${nameOf(missing)}. Please give both, or neither.`);
}
