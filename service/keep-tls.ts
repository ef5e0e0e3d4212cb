/** Certificates kept up to date while a party runs: read again when their files change, with a warning before they run out. */
import { statSync } from 'node:fs';
import type { Clock } from '#protocol/clock.ts';
import type { Log } from './log.ts';
import { loadTls, type NamedFile, type TlsFiles, type TlsMaterial } from './tls-files.ts';

export type KeptTls = {
  /** As it is now. */
  material(): TlsMaterial;
  stop(): void;
};

const MINUTE = 60_000;
const DAY = 86_400_000;
const SOON = 30 * DAY;

/**
 * Loads the files, and again when they have changed, which is looked for once a minute.
 * @param renewed called with what was read anew and what it replaces
 * @throws SettingsError when the files cannot be used at the start; later the log tells, and the former ones stay
 */
export function keepTls(
  files: TlsFiles,
  clock: Clock,
  log: Log,
  renewed: (now: TlsMaterial, former: TlsMaterial) => void,
): KeptTls {
  let material = loadTls(files, clock.now());
  const renew = () => {
    try {
      const former = material;
      material = loadTls(files, clock.now());
      log.info({ validTo: dateOf(material) }, 'TLS certificates read again');
      renewed(material, former);
    } catch (error) {
      // A renewal may be under way: the certificate is new and the key not yet. The next change is looked at again.
      const detail = (error as Error).message;
      log.warn({ detail }, 'the changed TLS files cannot be used; the former ones still are');
    }
  };
  const named = [files.pair?.cert, files.pair?.key, files.ca].filter((file) => file !== undefined);
  const stops = [watchFiles(named, clock, renew), warnOfExpiry(() => material, clock, log)];
  return {
    material: () => material,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

function watchFiles(files: readonly NamedFile[], clock: Clock, changed: () => void): () => void {
  const look = () => files.map(({ path }) => fingerprint(path)).join();
  let seen = look();
  let cancel: () => void = () => undefined;
  const arm = () => {
    cancel = clock.after(MINUTE, () => {
      arm();
      const now = look();
      if (now === seen) return;
      seen = now;
      changed();
    });
  };
  arm();
  return () => cancel();
}

/** By the file that the path leads to, as a renewal may swap a symbolic link; a change of its permissions counts too. */
function fingerprint(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}/${stat.size}/${stat.ctimeNs}` : 'absent';
}

/** Warns at once and every day when the certificate of this side runs out soon. */
function warnOfExpiry(material: () => TlsMaterial, clock: Clock, log: Log): () => void {
  let cancel: () => void = () => undefined;
  const look = () => {
    cancel = clock.after(DAY, look);
    const { validTo } = material();
    if (validTo === undefined || validTo - clock.now() >= SOON) return;
    const what = validTo <= clock.now() ? 'has expired' : 'runs out soon';
    log.warn({ validTo: dateOf(material()) }, `the TLS certificate ${what}: please renew it`);
  };
  look();
  return () => cancel();
}

function dateOf({ validTo }: TlsMaterial): string | undefined {
  return validTo === undefined ? undefined : new Date(validTo).toISOString();
}
