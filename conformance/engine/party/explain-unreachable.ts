/**
 * Explains to the user why the kit cannot reach the server under test, and what to do. Searches for it on
 * the other address and on other ports of this machine, when the adapter file has a wrong one.
 */
import { http } from '../node-modules.ts';

type Explanation = { found: string; remedy: string };

/** The codes of Node's errors where a certificate is not accepted. */
export const CERTIFICATE_ERROR = /^ERR_TLS|CERT|SIGN(?:ED|ATURE)/;

/** Explains the error of a failed request. `find` searches for the server elsewhere on this machine. */
export async function explainUnreachable(
  serverUrl: string,
  error: unknown,
  find: () => Promise<string | undefined>,
): Promise<Explanation> {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const code = cause?.code ?? (error instanceof Error ? error.name : '');
  const { hostname, port } = new URL(serverUrl);
  // A machine without IPv6 has no address [::1].
  if (code === 'ECONNREFUSED' || code === 'EADDRNOTAVAIL') return explainRefused(serverUrl, await find());
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      found: `the name ${hostname} is not known here`,
      remedy: 'Correct the host of server.url, or add the name to your DNS or hosts file.',
    };
  if (CERTIFICATE_ERROR.test(code))
    return {
      found: `the TLS certificate is not accepted (${code})`,
      remedy:
        'Name the certificate authority with NODE_EXTRA_CA_CERTS=/path/to/ca.pem, and check that the certificate carries this host name.',
    };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return {
      found: `${hostname}:${port} does not speak TLS`,
      remedy: 'Write http:// in server.url, or have the server listen with TLS.',
    };
  if (/HEADERS?_OVERFLOW$/.test(code))
    return { found: `${serverUrl} answers: ${TOO_LARGE_HEADERS} (${code})`, remedy: SMALLER_HEADERS };
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    return {
      found: `${serverUrl} closes the connection without an answer`,
      remedy: 'Write https:// in server.url if the server listens with TLS; otherwise look into its log.',
    };
  if (cause?.message === 'bad port')
    return {
      found: `web clients refuse port ${port}, because another protocol uses it`,
      remedy: 'Have the server listen on another port, such as 8080, and correct server.url.',
    };
  if (code === 'TimeoutError')
    return {
      found: `${serverUrl} did not answer within 5 s`,
      remedy: 'Check firewalls between here and the server, and that the server is not stuck.',
    };
  return {
    found: `${serverUrl} cannot be reached (${code || cause?.message || 'no reason given'})`,
    remedy: 'Check server.url, and try the address with curl from this machine.',
  };
}

function explainRefused(serverUrl: string, elsewhere: string | undefined): Explanation {
  const { hostname, port } = new URL(serverUrl);
  if (elsewhere !== undefined) {
    const { host, port: other } = new URL(elsewhere);
    const wrong = other === port ? 'address' : 'port';
    return {
      found: `wrong ${wrong}: nothing listens on ${hostname}:${port}, but an HTTP server does on ${host}`,
      remedy: `Correct server.url if that is your server: ${elsewhere}`,
    };
  }
  return {
    found: `server not started: nothing listens on ${hostname}:${port}`,
    remedy: `Start your authorization server, or correct server.url. In a container, 127.0.0.1 is the container itself: publish the port, or use the host's address.`,
  };
}

/** Says that an answer has larger headers than Node reads. */
export const TOO_LARGE_HEADERS = `the headers are larger than ${(http?.maxHeaderSize ?? 0) / 1024} KiB`;
const SMALLER_HEADERS =
  'Have the server send fewer or shorter headers, or start the kit with NODE_OPTIONS=--max-http-header-size=65536.';

/** What to do where these words name a certificate or too large headers; undefined for any other reason. */
export function reasonRemedy(found: string): string | undefined {
  if (found.includes(TOO_LARGE_HEADERS)) return SMALLER_HEADERS;
  if (/signed by/.test(found))
    return 'Start the kit with NODE_EXTRA_CA_CERTS=/path/to/ca.pem, with its authority.';
  return /has expired|for another host/.test(found)
    ? 'Give the server a certificate that is valid for the host of its address.'
    : undefined;
}

/** Ports on which developers often run a server. */
const USUAL_PORTS = [3000, 3001, 4000, 4200, 5000, 8000, 8080, 8081, 8443, 9000];

/** A program that listens on `localhost` may have one of them alone. */
const LOOPBACKS = ['127.0.0.1', '[::1]'];

/**
 * An address of this machine at which HTTP answers: the same port of the other loopback, or a port near the
 * configured one, or a usual one. `notAt`: the ports of the kit.
 */
export async function findElsewhere(
  serverUrl: string,
  notAt: readonly number[],
): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(serverUrl);
  if (![...LOOPBACKS, 'localhost'].includes(hostname)) return undefined;
  const configured = Number(port || (protocol === 'https:' ? 443 : 80));
  const near = [1, -1, 2, -2, 10, -10, 100, -100].map((step) => configured + step);
  const ports = [...near, ...USUAL_PORTS].filter(
    (each) => each > 0 && each < 65_536 && each !== configured && !notAt.includes(each),
  );
  const others = LOOPBACKS.filter((each) => each !== hostname);
  for (const change of [
    ...others.map((each) => ({ hostname: each })),
    ...ports.map((each) => ({ port: String(each) })),
  ]) {
    const url = Object.assign(new URL(serverUrl), change);
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(500) });
      return url.href;
    } catch {
      // Nothing listens there, or no HTTP server: try the next port.
    }
  }
  return undefined;
}
