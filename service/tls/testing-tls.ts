/**
 * Helpers for the TLS tests: authorities and certificates, a server that stops with its test, its log, and calls
 * over new connections.
 */
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type CertificateExtension, generate } from 'selfsigned';
import { onTestFinished } from 'vitest';
import type { Listening, ListenOptions } from '../http/listener/listener.ts';
import { connectionOver, serve } from '../http/testing.ts';
import { recordedLog } from '../process/testing-log.ts';
import type { NamedFile } from './tls-files.ts';
import type { TlsOptions } from './tls-server.ts';

type TlsServed = Listening & {
  /** The lines of the log. */
  logged: Record<string, unknown>[];
  /** Wait for a line of the log that fits, and return it. */
  hears(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
};

type TlsServeOptions = Partial<Omit<ListenOptions, 'tls'>> & Partial<Omit<TlsOptions, 'log'>>;

const answer: RequestListener = (_request, response) => void response.end('done');

/** Serve with this certificate until the test is over. */
export async function serveTls(
  files: CertificateFiles,
  { clientCa, clientNames, handshakeTimeoutMs, ...options }: TlsServeOptions = {},
  handler: RequestListener = answer,
): Promise<TlsServed> {
  const { log, lines: logged } = recordedLog();
  const tls: TlsOptions = {
    ...{ cert: named(files.cert, '--cert'), key: named(files.key, '--key'), clientCa, clientNames, log },
    ...(handshakeTimeoutMs !== undefined && { handshakeTimeoutMs }),
  };
  const listening = await serve(handler, { ...options, tls });
  return {
    ...listening,
    logged,
    async hears(fits) {
      for (;;) {
        const line = logged.find(fits);
        if (line) return line;
        await new Promise(setImmediate);
      }
    },
  };
}

/** What a caller trusts, and what it shows of itself. */
export const trust = ({ ca }: Authority) => ({ ca: readFileSync(ca) });
export const show = ({ cert, key }: CertificateFiles) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
});
/** Options of a caller that knows no newer TLS than 1.1. */
export const OLD_TLS = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

/** A file as given by a setting. */
export const named = (path: string, setting: string): NamedFile => ({ path, setting });

/** The certificate file of an authority, for the option `clientCa` of `serveTls`. */
export const clientsOf = ({ ca }: Authority): NamedFile => named(ca, '--client-ca');

type TlsReply = { status: number; text: string; protocol: string | null };

/**
 * Send one request over a new connection.
 * @throws Error of the connection, with its code
 */
export function ask(url: string, options: ConnectionOptions): Promise<TlsReply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...options, agent: false }, (response) => {
      const protocol = (response.socket as TLSSocket).getProtocol();
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), protocol }),
      );
    });
    asked.on('error', reject).end();
  });
}

/** The error code of one request; 'answered' when it succeeds. */
export async function failureOf(url: string, options: ConnectionOptions): Promise<string> {
  try {
    await ask(url, options);
    return 'answered';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

/** Open a connection and complete its handshake, for a test that writes requests by hand. */
export async function openTls(
  port: number,
  options: ConnectionOptions,
  onSession: (session: Buffer) => void = () => undefined,
) {
  const connection = connectionOver(connect({ port, host: '127.0.0.1', ...options }));
  connection.socket.on('session', onSession);
  await once(connection.socket, 'secureConnect');
  return connection;
}

/** Paths of files in PEM format. */
export type CertificateFiles = { cert: string; key: string };

export type Authority = {
  /** The path of its certificate. */
  ca: string;
  /** Issue a certificate, by default for localhost and 127.0.0.1 and valid from 2020 to 2099. */
  issue(commonName: string, options?: IssueOptions): Promise<CertificateFiles>;
};

type IssueOptions = {
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
