/** The certificate of a proxy: the right one or, for a while, one that its caller must not trust. */

import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { FOREIGN_CERTIFICATE } from './foreign-certificate.ts';

/** In PEM format. */
export type CertificatePair = { readonly cert: string; readonly key: string };

export type ServerTls = CertificatePair & {
  /** Authorities of client certificates; if given, a caller must show a certificate of theirs. */
  readonly clientCa?: string | undefined;
  /** Of the same authority, for another name. */
  readonly otherName?: CertificatePair | undefined;
  /** Of an authority that the caller does not know; the kit's own unless given. */
  readonly foreign?: CertificatePair | undefined;
};

/** Certificates that a caller must not accept. */
export const wrongCertificates = ['foreign', 'other-name'] as const;
export type WrongCertificate = (typeof wrongCertificates)[number];

/** Why a connection had no request. */
export type HandshakeTrouble =
  | 'plain HTTP'
  | 'no client certificate'
  | 'client certificate not accepted'
  | 'certificate not accepted'
  | 'other';

export class TlsSide {
  readonly server: Server;
  readonly #tls: ServerTls;
  #connections = 0;
  /** The underlying TCP connections by the caller's port. */
  readonly #plain = new Map<number, Socket>();
  #trouble: HandshakeTrouble | undefined;

  constructor(tls: ServerTls, handler: RequestListener) {
    this.#tls = tls;
    this.server = createServer({
      ...contextOf(tls, tls),
      requestCert: tls.clientCa !== undefined,
      rejectUnauthorized: true,
    });
    const served = new WeakSet<Socket>();
    this.server.on('connection', (socket: Socket) => {
      this.#connections++;
      const { remotePort = 0 } = socket;
      this.#plain.set(remotePort, socket);
      socket.on('close', () => this.#plain.delete(remotePort));
    });
    this.server.on('request', (request, response) => {
      served.add(request.socket);
      handler(request, response);
    });
    this.server.on('secureConnection', (socket) => {
      // In TLS 1.3 this handshake is complete before the caller has checked the certificate.
      socket.on('close', () => {
        if (!served.has(socket)) this.#trouble = 'certificate not accepted';
      });
    });
    this.server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      this.#trouble = troubleOf(error, socket);
    });
  }

  /** The wrong certificates that can be shown. */
  get wrong(): readonly WrongCertificate[] {
    return this.#tls.otherName ? wrongCertificates : ['foreign'];
  }

  /** Resets the TCP connection: a TLS socket cannot be reset itself. */
  reset({ remotePort = 0 }: Socket): void {
    this.#plain.get(remotePort)?.resetAndDestroy();
  }

  /** Why the last connection without a request had none; undefined when every connection had one. */
  trouble(): HandshakeTrouble | undefined {
    return this.#trouble;
  }

  /**
   * Closes open connections and shows a wrong certificate to new ones.
   * @returns a function that restores the right certificate and returns the number of connections made
   *   meanwhile
   */
  show(wrong: WrongCertificate): () => number {
    const { otherName, foreign = FOREIGN_CERTIFICATE } = this.#tls;
    this.#present(wrong === 'foreign' ? foreign : (otherName as CertificatePair));
    const before = this.#connections;
    return () => {
      this.#present(this.#tls);
      return this.#connections - before;
    };
  }

  #present(pair: CertificatePair): void {
    // A new context has its own ticket keys, so no caller resumes a session without seeing the certificate.
    this.server.setSecureContext(contextOf(pair, this.#tls));
    this.server.closeAllConnections();
  }
}

function contextOf({ cert, key }: CertificatePair, { clientCa }: ServerTls) {
  return { cert, key, ...(clientCa !== undefined && { ca: clientCa }) };
}

function troubleOf(error: NodeJS.ErrnoException, { authorizationError }: TLSSocket): HandshakeTrouble {
  const code = String(authorizationError ?? error.code ?? '');
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'plain HTTP';
  if (code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE' || code === 'UNABLE_TO_GET_ISSUER_CERT')
    return 'no client certificate';
  if (authorizationError) return 'client certificate not accepted';
  // Many callers reject a certificate by closing the connection, without an alert.
  if (/ALERT|^ECONNRESET$/.test(code)) return 'certificate not accepted';
  return 'other';
}
