/** The TLS settings, and their effect on each listener. */
import type { Channel } from '#protocol/methods/pipeline.ts';
import {
  list,
  SettingsError,
  type SettingsTable,
  type Values,
} from '#service/process/command-line/settings.ts';
import type { Log } from '#service/process/log.ts';
import type { TlsOptions } from '#service/tls/tls-server.ts';
import { fileSetting, listenerTlsSettings, namedFile, pairOf } from '#service/tls/tls-settings.ts';

export const tlsSettings = {
  ...listenerTlsSettings('EHR'),
  internalTlsCert: fileSetting(
    'internal-tls-cert',
    'EHR',
    'certificate of the internal listener in PEM format; absent: that of --tls-cert',
  ),
  internalTlsKey: fileSetting(
    'internal-tls-key',
    'EHR',
    'private key of --internal-tls-cert in PEM format, unencrypted; absent: that of --tls-key',
  ),
  internalTlsClientCa: fileSetting(
    'internal-tls-client-ca',
    'EHR',
    'authorities, in PEM format, one of which must have signed the certificate of who calls the internal listener',
  ),
  internalTlsClientName: {
    flag: '--internal-tls-client-name <list>',
    env: 'EHR_INTERNAL_TLS_CLIENT_NAME',
    schema: list
      .refine((names) => names.length > 0, 'must name at least one client')
      // A leading dot would match every name below it.
      .refine(
        (names) => names.every((name) => !name.startsWith('.')),
        'must be whole names, without a leading dot',
      )
      .optional(),
    help: 'common names or DNS names of client certificates that may call the internal listener, comma-separated; absent: all of those authorities',
  },
} as const satisfies SettingsTable;

type TlsConfig = Values<typeof tlsSettings> & { internalPort: number | undefined };

/** The files and clients of each listener. A listener without them uses plain HTTP. */
export type ListenerTls = { readonly [Which in 'public' | 'internal']?: Omit<TlsOptions, 'log'> | undefined };

/**
 * Combine the settings. The internal listener uses the public certificate if it has none of its own, so that
 * a server with a certificate uses plain HTTP nowhere.
 * @throws SettingsError when the settings contradict each other
 */
export function listenerTls(config: TlsConfig): ListenerTls {
  const open = pairOf(config.tlsCert, config.tlsKey, { cert: tlsSettings.tlsCert, key: tlsSettings.tlsKey });
  const own = pairOf(config.internalTlsCert, config.internalTlsKey, {
    cert: tlsSettings.internalTlsCert,
    key: tlsSettings.internalTlsKey,
  });
  const clientCa = namedFile(config.internalTlsClientCa, tlsSettings.internalTlsClientCa);
  const clientNames = config.internalTlsClientName;
  if ((own || clientCa) && config.internalPort === undefined) {
    throw new SettingsError(
      `${(clientCa ?? own?.cert)?.setting} is given without --internal-port (EHR_INTERNAL_PORT): the public listener asks nobody for a certificate. Please give the internal listener a port of its own.`,
    );
  }
  if (clientNames && !clientCa) {
    throw new SettingsError(
      '--internal-tls-client-name (EHR_INTERNAL_TLS_CLIENT_NAME) is given without --internal-tls-client-ca (EHR_INTERNAL_TLS_CLIENT_CA). Please name the authority too: a name counts only in a certificate that somebody vouches for.',
    );
  }
  const pair = own ?? open;
  if (clientCa && !pair) {
    throw new SettingsError(
      `${clientCa.setting} is given without a certificate of this server. Please give --internal-tls-cert and --internal-tls-key, or --tls-cert and --tls-key for both listeners.`,
    );
  }
  return { public: open, internal: pair && { ...pair, clientCa, clientNames } };
}

/** The TLS options of the listener of `channel`. */
export function tlsOf(tls: ListenerTls, channel: Channel, log: Log): TlsOptions | undefined {
  const own = channel === 'internal' ? tls.internal : tls.public;
  return own && { ...own, log };
}
