/** TLS to the EHR server: a private authority, and the client certificate of this server. */
import type { Agent, RequestInit } from 'undici';
import type { Clock } from '#protocol/time/clock.ts';
import {
  SettingsError,
  type SettingsTable,
  type Values,
  withoutCredentials,
} from '#service/process/command-line/settings.ts';
import type { Log } from '#service/process/log.ts';
import type { TlsFiles, TlsMaterial } from '#service/tls/tls-files.ts';
import { fileSetting, namedFile, pairOf } from '#service/tls/tls-settings.ts';

export const ehrTlsSettings = {
  ehrCa: fileSetting(
    'ehr-ca',
    'AUTH',
    "authorities, in PEM format, that the EHR server's certificate must come from; absent: those that node trusts",
  ),
  ehrClientCert: fileSetting(
    'ehr-client-cert',
    'AUTH',
    'certificate in PEM format that this server shows to the EHR server',
  ),
  ehrClientKey: fileSetting(
    'ehr-client-key',
    'AUTH',
    'private key of --ehr-client-cert in PEM format, unencrypted',
  ),
} as const satisfies SettingsTable;

type EhrTlsConfig = Values<typeof ehrTlsSettings> & { ehrUrl: string };

/** The files that the settings name, if any. @throws SettingsError when the settings contradict each other */
export function ehrTlsFiles(config: EhrTlsConfig): TlsFiles | undefined {
  const { ehrClientCert: cert, ehrClientKey: key, ehrCa } = ehrTlsSettings;
  const pair = pairOf(config.ehrClientCert, config.ehrClientKey, { cert, key });
  const ca = namedFile(config.ehrCa, ehrCa);
  const [first] = [ca, pair?.cert].filter((file) => file !== undefined);
  if (!first) return undefined;
  if (!config.ehrUrl.startsWith('https:')) {
    throw new SettingsError(
      `${first.setting} is given, but --ehr-url (AUTH_EHR_URL) is ${withoutCredentials(config.ehrUrl)}, which is not encrypted. Please give an https address.`,
    );
  }
  return { pair, ca };
}

export type EhrFetch = { fetch: typeof fetch; close(): Promise<void> };

/** Undefined where the settings name no files. `clock` tells whether certificates have expired. */
export async function openEhrFetch(
  config: EhrTlsConfig,
  clock: Clock,
  log: Log,
): Promise<EhrFetch | undefined> {
  const files = ehrTlsFiles(config);
  if (!files) return undefined;
  // A server without these settings starts without loading these modules.
  const [{ Agent, fetch: undiciFetch }, { keepTls }] = await Promise.all([
    import('undici'),
    import('#service/tls/tls-files.ts'),
  ]);
  const agentOf = ({ pem }: TlsMaterial): Agent => new Agent({ connect: { ...pem, minVersion: 'TLSv1.2' } });
  const kept = keepTls(files, clock, log, (now) => {
    const former = agent;
    agent = agentOf(now);
    // Closing waits for the calls under way and cannot fail.
    void former.close();
  });
  let agent = agentOf(kept.material());
  const send = (url: string, init: RequestInit) => undiciFetch(url, { ...init, dispatcher: agent });
  return {
    // undici and the platform declare the same standard with different types.
    fetch: send as unknown as typeof fetch,
    async close() {
      kept.stop();
      await agent.destroy();
    },
  };
}
