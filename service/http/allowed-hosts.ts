/**
 * The host names that a listener answers to. By DNS rebinding, a page of another site can reach a server on
 * this machine under the page's own host name. Its requests carry that name.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { list, type Setting } from '../process/command-line/settings.ts';
import { discardBody } from './bodies/read-body.ts';
import { type HttpError, sendHttpError } from './http-error.ts';

const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** The setting of a party whose environment variables begin with `prefix`. */
export function allowedHostsSetting(prefix: string) {
  return {
    flag: '--allowed-hosts <list>',
    env: `${prefix}_ALLOWED_HOSTS`,
    default: '',
    schema: list
      .transform((names) => names.map((name) => name.toLowerCase()))
      .refine(
        (names) => names.every((name) => HOST_NAME.test(name)),
        'must be comma-separated host names without a port, such as ehr.example.org',
      ),
    help: 'names under which a listener on a loopback address answers, beside those of this machine, comma-separated: those that a proxy in front passes on',
  } as const satisfies Setting<string[]>;
}

export type HostRules = {
  /**
   * Whether the listener is bound to a loopback address. A listener on another address answers to every name.
   */
  isLoopback: () => boolean;
  /** Allowed names besides those of loopback, in lower case. */
  allowedHosts: readonly string[];
  /** Called with the HTTP status of each request that is refused here. */
  onHttpError?: ((status: number) => void) | undefined;
};

/**
 * Pass on the requests that this listener may answer, with the target reduced to a path. Refuse two `Host`
 * headers (400), a transfer coding other than `chunked` (501) and, on a loopback address, the name of another
 * host (403).
 */
export function onlyForHosts(rules: HostRules, handler: RequestListener): RequestListener {
  const allowed = new Set(rules.allowedHosts);
  return (request, response) => {
    const target = readTarget(request);
    const error = errorOf(request, target?.host, rules.isLoopback() ? allowed : undefined);
    if (!error) {
      if (target) request.url = target.path;
      handler(request, response);
      return;
    }
    // The end of such a request is not certain, so the connection is not used again.
    if (error !== FOREIGN_HOST) response.shouldKeepAlive = false;
    discardBody(request);
    sendHttpError(response, error);
    rules.onHttpError?.(error.status);
  };
}

/** Whether an address, as a socket reports it, is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1';
}

const FOREIGN_HOST: HttpError = {
  status: 403,
  reason: 'host_not_allowed',
  message:
    'This server listens on a loopback address and answers to the names of this machine alone. Please ask for 127.0.0.1 or localhost, or add the name to --allowed-hosts.',
};
const TWO_HOSTS: HttpError = {
  status: 400,
  reason: 'bad_request',
  message: 'A request must name its host once.',
};
const BAD_TARGET: HttpError = {
  status: 400,
  reason: 'bad_request',
  message: 'The target of the request is no address.',
};
const UNKNOWN_CODING: HttpError = {
  status: 501,
  reason: 'transfer_coding_not_supported',
  message: 'The only Transfer-Encoding that this server reads is chunked.',
};

function errorOf(
  request: IncomingMessage,
  targetHost: string | undefined,
  allowed: ReadonlySet<string> | undefined,
): HttpError | undefined {
  const { host, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return UNKNOWN_CODING;
  if (hasTwoHosts(request)) return TWO_HOSTS;
  if (targetHost?.includes('@')) return BAD_TARGET;
  // An absolute target overrides the header (RFC 9112, 3.2.2).
  const named = targetHost ?? host;
  // A request without a name (HTTP/1.0) cannot come from a web page.
  if (!allowed || named === undefined || isNameOf(named, allowed)) return undefined;
  return FOREIGN_HOST;
}

/** Node keeps the first of two `Host` headers, and a proxy in front may have checked the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)/i;

/** The host and the path of an absolute target; undefined if the target is a path. */
function readTarget({ url = '' }: IncomingMessage): { host: string; path: string } | undefined {
  if (url.startsWith('/')) return undefined;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  return host === undefined ? undefined : { host, path: rest.startsWith('/') ? rest : `/${rest}` };
}

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isNameOf(host: string, allowed: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return LOOPBACK_NAME.test(name) || allowed.has(name);
}
