/**
 * The TLS side of the recording proxy: its right certificate or, for a while, a wrong one, to see whether the
 * calling party accepts that.
 */
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { TIMELY } from './bind.ts';
import { FOREIGN_CERTIFICATE } from './foreign-certificate.ts';

/** In PEM format. */
export type CertificatePair = { readonly cert: string; readonly key: string };

/** The right certificate of a proxy, and what else it needs for TLS. */
export type ServerTls = CertificatePair & {
  /** Authorities in PEM format. If given, a caller must show a certificate of one of them. */
  readonly clientCa?: string | undefined;
  /** A wrong certificate: of the same authority as the right one, for another host. */
  readonly otherName?: CertificatePair | undefined;
  /** A wrong certificate: of an authority that the caller does not know; one of the kit unless given. */
  readonly foreign?: CertificatePair | undefined;
};

export type WrongCertificate = 'foreign' | 'other-name';

export type HandshakeTrouble =
  | 'plain HTTP'
  | 'no client certificate'
  | 'client certificate not accepted'
  | 'certificate not accepted'
  | 'other';

/** An HTTPS server whose certificate can be changed while it runs. */
export class TlsSide {
  readonly server: Server;
  readonly #tls: ServerTls;
  #connections = 0;
  /** The TCP connections under the TLS connections, by the port of the caller. */
  readonly #plain = new Map<number, Socket>();
  #trouble: HandshakeTrouble | undefined;

  constructor(tls: ServerTls, handler: RequestListener) {
    this.#tls = tls;
    this.server = createServer({
      ...TIMELY,
      ...contextOf(tls, tls),
      requestCert: tls.clientCa !== undefined,
      rejectUnauthorized: true,
    });
    // The connections that brought a request.
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
      // In TLS 1.3 the server sees the handshake complete before the caller has checked the certificate.
      socket.on('close', () => {
        if (!served.has(socket)) this.#trouble = 'certificate not accepted';
      });
    });
    this.server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      this.#trouble = troubleOf(error, socket);
    });
  }

  /** The kinds of wrong certificates that this proxy can show. */
  get wrong(): readonly WrongCertificate[] {
    return this.#tls.otherName ? ['foreign', 'other-name'] : ['foreign'];
  }

  reset({ remotePort = 0 }: Socket): void {
    this.#plain.get(remotePort)?.resetAndDestroy();
  }

  /** Why the last connection without a request brought none; undefined: there was no such connection. */
  trouble(): HandshakeTrouble | undefined {
    return this.#trouble;
  }

  /**
   * Closes the open connections, and shows a wrong certificate to new ones. Returns a function that shows the
   * right one again, and returns how many connections were made in between.
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
