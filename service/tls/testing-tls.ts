/** Helpers for the TLS tests: a server that stops with its test, its log, and calls over new connections. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { request } from 'node:https';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Listening, ListenOptions } from '../http/listener/listener.ts';
import { serve } from '../http/testing.ts';
import { createLog } from '../process/log.ts';
import type { Authority, CertificateFiles } from './testing-certificates.ts';
import type { NamedFile } from './tls-files.ts';
import type { TlsOptions } from './tls-server.ts';

export type TlsServed = Listening & {
  /** The lines of the log. */
  logged: Record<string, unknown>[];
  /** Wait for a line of the log that fits, and return it. */
  hears(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
};

export type TlsServeOptions = Partial<Omit<ListenOptions, 'tls'>> & Partial<Omit<TlsOptions, 'log'>>;

const answer: RequestListener = (_request, response) => void response.end('done');

/** Serve with this certificate until the test is over. */
export async function serveTls(
  files: CertificateFiles,
  { clientCa, clientNames, handshakeTimeoutMs, ...options }: TlsServeOptions = {},
  handler: RequestListener = answer,
): Promise<TlsServed> {
  const logged: Record<string, unknown>[] = [];
  const log = createLog('test', 'debug', { write: (line) => void logged.push(JSON.parse(line)) });
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

/** A file as given by a setting. */
export const named = (path: string, setting: string): NamedFile => ({ path, setting });

/** The certificate file of an authority, for the option `clientCa` of `serveTls`. */
export const clientsOf = ({ ca }: Authority): NamedFile => named(ca, '--client-ca');

export type TlsReply = { status: number; text: string; protocol: string | null };

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
  const socket = connect({ port, host: '127.0.0.1', ...options }).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  socket.on('session', onSession);
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(received)).on('close', () => resolve(received));
  });
  await once(socket, 'secureConnect');
  const until = async (pattern: RegExp) => {
    while (!pattern.test(received))
      await Promise.race([
        once(socket, 'data'),
        closed.then(() => Promise.reject(new Error(`The connection was closed after: ${received}`))),
      ]);
    return received;
  };
  return { socket, closed, until };
}
