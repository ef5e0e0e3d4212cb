/** Searches for the server under test on other ports, when the adapter file has a wrong one. */

/** Ports on which developers often run a server. */
const USUAL_PORTS = [3000, 3001, 4000, 4200, 5000, 8000, 8080, 8081, 8443, 9000];

/**
 * Returns a port on which an HTTP server answers: near the configured port, or a usual one. Undefined: none
 * answers, or the configured server is not on this machine.
 * @param notAt ports of the kit itself, which answer but are not the server under test
 */
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
