/**
 * Explains to the user why the kit cannot reach the server under test, and what to do. Searches for it on
 * other ports, when the adapter file has a wrong one.
 */

type Explanation = { found: string; remedy: string };

/** The codes of Node's errors where a certificate is not accepted. */
export const CERTIFICATE_ERROR = /^ERR_TLS|CERT|SIGN(?:ED|ATURE)/;

/** Explains the error of a failed request. `find` searches for the server on other ports of this machine. */
export async function explainUnreachable(
  serverUrl: string,
  error: unknown,
  find: () => Promise<number | undefined>,
): Promise<Explanation> {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const code = cause?.code ?? (error instanceof Error ? error.name : '');
  const { hostname, port } = new URL(serverUrl);
  if (code === 'ECONNREFUSED') return explainRefused(serverUrl, await find());
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

function explainRefused(serverUrl: string, elsewhere: number | undefined): Explanation {
  const { hostname, port } = new URL(serverUrl);
  if (elsewhere !== undefined)
    return {
      found: `wrong port: nothing listens on ${hostname}:${port}, but an HTTP server does on ${elsewhere}`,
      remedy: `Correct server.url in the adapter file if that is your server: ${serverUrl.replace(`:${port}`, `:${elsewhere}`)}`,
    };
  return {
    found: `server not started: nothing listens on ${hostname}:${port}`,
    remedy: `Start your authorization server, or correct server.url. In a container, 127.0.0.1 is the container itself: publish the port, or use the host's address.`,
  };
}

/** What to do where the certificate of a server is the reason in these words; undefined for any other. */
export function certificateRemedy(found: string): string | undefined {
  if (/signed by/.test(found))
    return 'Start the kit with NODE_EXTRA_CA_CERTS=/path/to/ca.pem, with its authority.';
  return /has expired|for another host/.test(found)
    ? 'Give the server a certificate that is valid for the host of its address.'
    : undefined;
}

/** Ports on which developers often run a server. */
const USUAL_PORTS = [3000, 3001, 4000, 4200, 5000, 8000, 8080, 8081, 8443, 9000];

/** A port of this machine on which HTTP answers: near the configured one, or usual. `notAt`: the kit's. */
export async function findPort(serverUrl: string, notAt: readonly number[]): Promise<number | undefined> {
  const url = new URL(serverUrl);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return undefined;
  const configured = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const near = [1, -1, 2, -2, 10, -10, 100, -100].map((step) => configured + step);
  for (const port of [...near, ...USUAL_PORTS]) {
    if (port < 1 || port > 65_535 || port === configured || notAt.includes(port)) continue;
    url.port = String(port);
    try {
      await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(500) });
      return port;
    } catch {
      // Nothing listens there, or no HTTP server: try the next port.
    }
  }
  return undefined;
}
