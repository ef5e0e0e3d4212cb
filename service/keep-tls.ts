/** Certificates of a running party: read again on SIGHUP, so that a renewal needs no restart. */
import type { Clock } from '#protocol/clock.ts';
import type { Log } from './log.ts';
import { loadTls, type TlsFiles, type TlsMaterial } from './tls-files.ts';

export type KeptTls = {
  /** As it is now. */
  material(): TlsMaterial;
  stop(): void;
};

/**
 * Loads the files, and again on each SIGHUP.
 * @param onRenewed called with what was read and what it replaces
 * @throws SettingsError when the files cannot be used at the start; later the log says so, and the former ones stay
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
      log.warn({ detail: (error as Error).message }, 'the TLS files cannot be used; the former ones still are');
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
