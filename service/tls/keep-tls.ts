/** Keeps the certificates of a running party and reads them again on SIGHUP, without a restart. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Log } from '../process/log.ts';
import { loadTls, type TlsFiles, type TlsMaterial } from './tls-files.ts';

export type KeptTls = {
  /** The certificates in use now. */
  material(): TlsMaterial;
  stop(): void;
};

/**
 * Load the files, and load them again on each SIGHUP.
 * @param onRenewed called with the new certificates and those that they replace
 * @throws SettingsError when the files cannot be used at the start. Later the log says so, and the old ones
 *   stay in use.
 */
export function keepTls(
  files: TlsFiles,
  clock: Clock,
  log: Log,
  onRenewed: (now: TlsMaterial, former: TlsMaterial) => void,
): KeptTls {
  let material = loadTls(files, clock.now());
  const reload = () => {
    const former = material;
    try {
      material = loadTls(files, clock.now());
    } catch (error) {
      log.warn(
        { detail: (error as Error).message },
        'the TLS files cannot be used; the former ones still are',
      );
      return;
    }
    log.info({ validTo: dateOf(material) }, 'TLS certificates read again');
    onRenewed(material, former);
  };
  process.on('SIGHUP', reload);
  return { material: () => material, stop: () => void process.off('SIGHUP', reload) };
}

function dateOf({ validTo }: TlsMaterial): string | undefined {
  return validTo === undefined ? undefined : new Date(validTo).toISOString();
}
