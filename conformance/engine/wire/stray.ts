/**
 * Recognizes strays: requests that no party of the run sent, such as those of a foreign web page or of a port
 * scanner. The journal lists them, and no check judges them.
 */
import type { IncomingMessage } from 'node:http';
import type { Link } from '../journal/entry.ts';

/**
 * Why a request is a stray that must be refused, by its Host and Origin. `undefined` for a request that may
 * come in.
 * @param isLocal whether the proxy listens on a loopback address. A foreign Host then means DNS rebinding: a
 * web page that reaches this machine under a name of its own.
 */
export function strangerOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  isLocal: boolean,
): string | undefined {
  if (!isLocal) return undefined;
  if (headers.host !== undefined && !isLoopback(hostOf(`http://${headers.host}`)))
    return 'its Host is not this machine';
  if (headers.origin !== undefined && !isLoopback(hostOf(headers.origin))) return 'its Origin is foreign';
  return undefined;
}

/**
 * Why a request is a harmless probe, such as a health check. A probe is passed on, and not judged.
 * `undefined` for any other request.
 */
export function probeOf(
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

export function hostOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    // A page without an origin sends "null", which is no address.
    return undefined;
  }
}
