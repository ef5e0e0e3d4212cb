/** Recognizes requests that are not part of a run, such as a probe. The journal lists them unjudged. */
import type { IncomingMessage } from 'node:http';
import type { Link } from '../../journal/entry.ts';

export type StrayContext = {
  link: Link;
  /** Whether the request came to a loopback address, so that a foreign Host means DNS rebinding. */
  isLocal: boolean;
};

/** Why a request is not part of this run, and whether it is refused; a harmless probe is passed on. */
export type Stray = { reason: string; refused: boolean };

/** Recognizes a stray request by its Host, Origin and form; undefined when it is part of this run. */
export function strayOf(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  body: Buffer,
  { link, isLocal }: StrayContext,
): Stray | undefined {
  if (isLocal && headers.host !== undefined && !isLoopback(hostOf(`http://${headers.host}`)))
    return { reason: 'its Host is not this machine', refused: true };
  if (isLocal && headers.origin !== undefined && !isLoopback(hostOf(headers.origin)))
    return { reason: 'its Origin is foreign', refused: true };
  if (link === 'auth->ehr' && body.length === 0 && PROBES.has(method))
    return { reason: `it is a ${method} without a body`, refused: false };
  return undefined;
}

const PROBES: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a host names this machine only. */
export function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

function hostOf(address: string): string | undefined {
  try {
    return new URL(address).hostname;
  } catch {
    // "null", sent by a page without an origin, and any other value that is no address.
    return undefined;
  }
}
