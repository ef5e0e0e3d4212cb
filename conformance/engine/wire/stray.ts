/** Recognizes requests that are not part of a run, such as a probe. The journal lists them unjudged. */
import type { IncomingMessage } from 'node:http';
import type { Link } from '../journal/entry.ts';

/**
 * Why a request is none of this run's and is refused, by its Host and Origin; undefined where it may come in.
 * @param isLocal whether it came to a loopback address, so that a foreign Host means DNS rebinding
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

/** Why a request is a harmless probe, which is passed on. */
export function probeOf(
  { method = '' }: Pick<IncomingMessage, 'method'>,
  body: Buffer,
  link: Link,
): string | undefined {
  const isProbe = link === 'auth->ehr' && body.length === 0 && PROBES.has(method);
  return isProbe ? `it is a ${method} without a body` : undefined;
}

const PROBES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a host names this machine only. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** The host of an address or an Origin; undefined where it is neither. */
export function hostOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    // "null", sent by a page without an origin, and any other value that is no address.
    return undefined;
  }
}
