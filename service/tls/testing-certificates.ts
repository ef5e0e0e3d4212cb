/** Certificates for tests: own authorities, and files that are deleted after the test. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateExtension, generate } from 'selfsigned';
import { onTestFinished } from 'vitest';

/** Paths of files in PEM format. */
export type CertificateFiles = { cert: string; key: string };

export type Authority = {
  /** The path of its certificate. */
  ca: string;
  /** Issue a certificate, by default for localhost and 127.0.0.1 and valid from 2020 to 2099. */
  issue(commonName: string, options?: IssueOptions): Promise<CertificateFiles>;
};

export type IssueOptions = {
  dnsNames?: readonly string[];
  addresses?: readonly string[];
  from?: number;
  to?: number;
};

const FROM = Date.UTC(2020, 0, 1);
const TO = Date.UTC(2099, 0, 1);
/** An elliptic curve, because generating an RSA key takes a second. */
const KEY = { keyType: 'ec', algorithm: 'sha256' } as const;

let files = 0;

/** Create an authority whose files are in their own folder. */
export async function createAuthority({ to = TO }: { to?: number } = {}): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    const path = join(folder, `${++files}-${name}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const own = await generate([{ name: 'commonName', value: `Authority ${++files}` }], {
    ...KEY,
    notBeforeDate: new Date(FROM),
    notAfterDate: new Date(to),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    ca: write('ca', own.cert),
    async issue(
      commonName,
      { dnsNames = ['localhost'], addresses = ['127.0.0.1'], from = FROM, to: until = TO } = {},
    ) {
      const issued = await generate([{ name: 'commonName', value: commonName }], {
        ...KEY,
        notBeforeDate: new Date(from),
        notAfterDate: new Date(until),
        ca: { key: own.private, cert: own.cert },
        extensions: extensionsFor(dnsNames, addresses),
      });
      return { cert: write(commonName, issued.cert), key: write(`${commonName}-key`, issued.private) };
    },
  };
}

/** Overwrite the certificate and key of `former` with those of `next`. */
export function replaceFiles(former: CertificateFiles, next: CertificateFiles): void {
  copyFileSync(next.cert, former.cert);
  copyFileSync(next.key, former.key);
}

function extensionsFor(dnsNames: readonly string[], addresses: readonly string[]): CertificateExtension[] {
  const altNames = dnsNames.map((value) => ({ type: 2 as const, value }));
  return [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    { name: 'subjectAltName', altNames: [...altNames, ...addresses.map((ip) => ({ type: 7 as const, ip }))] },
  ];
}
