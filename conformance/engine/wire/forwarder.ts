/**
 * Passes the requests of the recording proxy on to the server behind it, byte for byte, except for the
 * headers about the connection.
 */
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { RawExchange } from '../journal/entry.ts';
import { headerPairs } from '../journal/headers.ts';
import { readAnswer, STEP_HEADER } from './body.ts';
import type { Answer } from './faults.ts';
import type { SimultaneousRequests } from './simultaneous-requests.ts';

/**
 * One connection for each request: the server could close a kept one just as it is used again. Requests
 * beyond 256 at once wait.
 */
const CONNECTIONS = { keepAlive: false, maxSockets: 256 };

export class Forwarder {
  #target: URL;
  readonly #agents = { http: new Agent(CONNECTIONS), https: new TlsAgent(CONNECTIONS) };
  readonly #asJson: boolean;

  /** @param asJson whether the body of each POST is passed on as JSON, whatever its Content-Type says */
  constructor(target: string, asJson = false) {
    this.#target = new URL(target);
    this.#asJson = asJson;
  }

  retarget(url: string): void {
    this.#target = new URL(url);
  }

  /** Sends a request, together with `others` where there are such, and resolves to the whole answer. */
  forward(
    { method, path, headers }: RawExchange['request'],
    { body, others }: { body: Buffer; others: SimultaneousRequests | undefined },
  ): Promise<Answer> {
    const { protocol, hostname, port, host } = this.#target;
    const secure = protocol === 'https:';
    const options = {
      method,
      path,
      // node:http takes an IPv6 address without its brackets.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      agent: secure ? this.#agents.https : this.#agents.http,
      // A list keeps the order, the case and the repetitions of headers.
      headers: passedHeaders(method, this.#asJson ? asJson(method, headers) : headers, host).flat(),
    };
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)(options, (reply) => {
        readAnswer(reply).then(
          (bytes) =>
            resolve({ status: reply.statusCode ?? 0, headers: headerPairs(reply.rawHeaders), body: bytes }),
          (cause: unknown) => {
            outgoing.destroy();
            reject(new ReplyBroken('The reply broke off, or is too large.', { cause }));
          },
        );
      });
      outgoing.on('error', reject);
      if (others) others.hold(outgoing, body);
      else outgoing.end(body);
    });
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Headers that are not passed on: those about the connection, and the mark of the kit. */
const NOT_PASSED = new Set([
  ...'host connection keep-alive upgrade expect proxy-connection'.split(' '),
  STEP_HEADER,
]);

function passedHeaders(
  method: string,
  headers: readonly [string, string][],
  host: string,
): [string, string][] {
  const passed = headers.filter(([name]) => !NOT_PASSED.has(name.toLowerCase()));
  const framed = passed.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  // Without a length or an encoding there is no body, but node:http would send an empty one in chunks.
  const none: [string, string][] =
    framed || !['POST', 'PUT', 'PATCH'].includes(method) ? [] : [['Content-Length', '0']];
  return [['Host', host], ...passed, ...none];
}

/** Makes a POST say that its body is JSON. */
function asJson(method: string, headers: readonly [string, string][]): readonly [string, string][] {
  if (method !== 'POST') return headers;
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return [...others, ['Content-Type', 'application/json']];
}

/** The answer began, and did not arrive whole. */
class ReplyBroken extends Error {}

/** How the connection broke when {@link Forwarder.forward} failed with `error`. */
export function brokeHow(error: unknown): 'refused' | 'reset' | 'closed-early' {
  if (error instanceof ReplyBroken) return 'closed-early';
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'refused';
}
