/**
 * Recognizes strays: requests that no party of the run sent, such as those of a foreign web page or of a port
 * scanner. The journal lists them, and no check judges them.
 */
import type { IncomingMessage } from 'node:http';
import type { Link } from '../journal/entry.ts';

/**
 * Returns why a request must be refused; undefined where it may come in. A server that listens on `ownHost`, a
 * loopback address, refuses a foreign Host: a web page reaches it so by DNS rebinding.
 */
export function whyRefused(
  { headers }: Pick<IncomingMessage, 'headers'>,
  ownHost: string,
): string | undefined {
  if (!isLoopback(ownHost)) return undefined;
  if (headers.host !== undefined && !isLoopback(hostOf(`http://${headers.host}`)))
    return 'its Host is not this machine';
  if (headers.origin !== undefined && !isLoopback(hostOf(headers.origin))) return 'its Origin is foreign';
  return undefined;
}

/** Returns why a request is a harmless probe, such as a health check, which is passed on and not judged. */
export function whyProbe(
  { method = '' }: Pick<IncomingMessage, 'method'>,
  body: Buffer,
  link: Link,
): string | undefined {
  const isProbe = link === 'auth->ehr' && body.length === 0 && PROBES.has(method);
  return isProbe ? `it is a ${method} without a body` : undefined;
}

/** The HTTP methods of probes. No call of the interface uses them. */
const PROBES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** A page without an origin sends "null", which is no address. */
export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
