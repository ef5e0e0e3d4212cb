/**
 * Reads certificates and keys from files, and checks them before anything depends on them. A running party reads
 * them again on SIGHUP, without a restart.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '#protocol/time/clock.ts';
import { SettingsError } from '../process/command-line/settings.ts';
import { otherThanText } from '../process/files/file-kind.ts';
import type { Log } from '../process/log.ts';

/** A file and the setting that names it, such as `--tls-cert (EHR_TLS_CERT)`. */
export type NamedFile = { readonly path: string; readonly setting: string };

/** A certificate and its key, in PEM format. */
export type Pair = {
  /** The certificate of this side, followed by those between it and its authority. */
  readonly cert: NamedFile;
  /** Unencrypted. */
  readonly key: NamedFile;
};

export type TlsFiles = {
  readonly pair?: Pair | undefined;
  /** Authorities that vouch for the other side. */
  readonly ca?: NamedFile | undefined;
};

export type TlsMaterial = {
  readonly pem: { readonly cert?: string; readonly key?: string; readonly ca?: string };
  /** When the certificate of this side expires, in milliseconds since 1970. Absent without a certificate. */
  readonly validTo?: number;
};

/**
 * Read the files and check that they fit together.
 * @param now the time at which they must be valid, in milliseconds
 * @throws SettingsError naming the file, its setting, what is wrong and what to do, without any byte of the
 *   key
 */
export function loadTls({ pair, ca }: TlsFiles, now: number): TlsMaterial {
  const authorities = ca && { ca: loadAuthorities(ca, now) };
  if (!pair) return { pem: { ...authorities } };
  const { cert, key } = pair;
  const pem = { cert: readPem(cert), key: readPem(key), ...authorities };
  const [certificate] = certificatesOf(pem.cert, cert) as [X509Certificate];
  if (!certificate.checkPrivateKey(privateKeyOf(pem.key, key))) {
    throw new SettingsError(
      `${given(key)} is not the key of the certificate ${cert.path}. Please give the two that were made together; where ${cert.path} holds several certificates, the one of this server comes first.`,
    );
  }
  const validTo = Date.parse(certificate.validTo);
  if (validTo <= now)
    throw new SettingsError(`${given(cert)} expired on ${certificate.validTo}. Please renew it.`);
  if (Date.parse(certificate.validFrom) > now) {
    throw new SettingsError(
      `${given(cert)} is valid only from ${certificate.validFrom}. Please wait for it, or check this machine's clock.`,
    );
  }
  try {
    // Not imported: see tls-server.ts.
    process.getBuiltinModule('node:tls').createSecureContext(pem);
  } catch (cause) {
    // For example, the key is too short for the security level of OpenSSL.
    const why = (cause as Error).message;
    throw new SettingsError(`${given(cert)} and ${key.path} cannot be used: ${why}. Please make new ones.`, {
      cause,
    });
  }
  return { pem, validTo };
}

function loadAuthorities(ca: NamedFile, now: number): string {
  const pem = readPem(ca);
  if (certificatesOf(pem, ca).every(({ validTo }) => Date.parse(validTo) <= now)) {
    throw new SettingsError(`${given(ca)} holds no certificate that has not expired. Please renew it.`);
  }
  return pem;
}

function readPem(file: NamedFile): string {
  const other = otherThanText(file.path);
  if (other) throw new SettingsError(`${given(file)} cannot be read: it is ${other}. Please name a file.`);
  try {
    return readFileSync(file.path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = WHY_UNREADABLE[code ?? ''] ?? `reading failed with ${code}`;
    throw new SettingsError(`${given(file)} cannot be read: ${why}.`, { cause });
  }
}

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Please correct the path',
  EACCES:
    'this user may not read it. Please let the account that runs the server read it, and nobody else where it is a key',
  EISDIR: 'it is a directory. Please name the file in it',
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesOf(pem: string, file: NamedFile): X509Certificate[] {
  const parts = pem.match(CERTIFICATE) ?? [];
  try {
    if (parts.length > 0) return parts.map((part) => new X509Certificate(part));
  } catch {
    // Reported below. The OpenSSL message about broken bytes does not help the reader.
  }
  throw new SettingsError(
    `${given(file)} holds no certificate in PEM format ("-----BEGIN CERTIFICATE-----"). Please convert it, as by openssl x509 -inform der.`,
  );
}

function privateKeyOf(pem: string, file: NamedFile): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const isLocked = /^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem);
    throw new SettingsError(
      isLocked
        ? `${given(file)} is encrypted. Please give the key without a passphrase, in a file that the server's account alone can read.`
        : `${given(file)} holds no private key in PEM format ("-----BEGIN PRIVATE KEY-----").`,
      { cause },
    );
  }
}

function given({ path, setting }: NamedFile): string {
  return `The file ${path} of ${setting}`;
}

type KeptTls = {
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
