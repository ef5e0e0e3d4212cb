/**
 * The faults that the kit puts between two parties: an answer in the place of the server's, a change of the
 * server's answer, or an odd way of sending it.
 */
import type { ServerResponse } from 'node:http';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { textOfBytes } from '#protocol/wire/bytes.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { FaultName } from '../journal/entry.ts';
import { zlib } from '../node-modules.ts';

/** A fault, with what some faults need besides their name. */
export type Fault = {
  name: FaultName;
  /** For `refuse`: the JSON-RPC error of the answer. */
  error?: { code: number; message: string; data?: unknown };
  /** For `late` and `split-reply`, in milliseconds; 1,000 and 30 unless given. */
  delay?: number;
  /** For `http-500`; 500 unless given. */
  status?: number;
  /** For `redirect`; `/` unless given. */
  location?: string;
  /** A fault of a role: answers in the place of the server, given the id of the call. */
  standIn?: (id: unknown) => Answer;
  /** A fault of a role: changes the answer of the server, given the id of the call. */
  spoil?: Spoil;
};

export type Answer = { status: number; headers: [string, string][]; body: Uint8Array };

/** Changes the answer of the server, given the id of the call. */
export type Spoil = (answer: Answer, id: unknown) => Answer;

type SentCall = Record<string, unknown>;
type Reply = { result?: unknown };

/** A fault, and the calls into which it is injected. */
export type Armed = {
  /** The JSON-RPC method of the affected calls; every method unless given. */
  method?: string | undefined;
  fault: Fault;
  /** How many calls it affects; 1 unless given. */
  times?: number;
  /** Whether a call is affected; every call unless given. */
  of?: (call: SentCall) => boolean;
  onMet?: () => void;
};

/**
 * An armed fault that a call has met. `times` is how many more calls it affects, `held` the connections of
 * the calls that it leaves without an answer for now.
 */
export type MetFault = Armed & { times: number; held: Set<{ destroy(): void }> };

/** Runs `then` after `ms` milliseconds, unless the proxy is stopped before. */
export type Pause = (ms: number, then: () => void) => void;

/** Whether the request is passed on to the server, because the fault changes only the answer. */
export function reachesServer({ name, standIn, spoil }: Fault): boolean {
  return spoil !== undefined || (standIn === undefined && name in SPOILS);
}

const JSON_TYPE: [string, string][] = [['content-type', 'application/json; charset=utf-8']];
const HTML_TYPE: [string, string][] = [['content-type', 'text/html; charset=utf-8']];
const MADE_UP = { result: { id: 'made-up' } };

/**
 * A mark in the error texts that the kit gives in the place of the EHR server. Where a client gets the mark,
 * the authorization server has passed on a text of the EHR server.
 */
export const UPSTREAM_MARK = 'said-by-the-ehr-server-4711';

/** A page as a load balancer shows it. */
const MAINTENANCE = `<!doctype html><title>Maintenance</title><p>We will be back soon. ${UPSTREAM_MARK}`;

const answerOf = (status: number, headers: [string, string][], body: string | object = ''): Answer => {
  return { status, headers, body: utf8ToBytes(typeof body === 'string' ? body : writeJson(body)) };
};

/**
 * Makes an answer in the place of the server. `reply` makes a JSON-RPC reply of these members to the request;
 * its reply to a batch of one call is a batch.
 */
type StandIn = (fault: Fault, reply: (members: object) => object) => Answer;

const STAND_INS: Readonly<Partial<Record<FaultName, StandIn>>> = {
  'not-json': () => answerOf(200, HTML_TYPE, MAINTENANCE),
  'http-500': ({ status = 500 }) =>
    answerOf(status, JSON_TYPE, { error: { reason: 'internal_error', detail: UPSTREAM_MARK } }),
  redirect: ({ location = '/' }) => answerOf(307, [['location', location]]),
  refuse: ({ error }, reply) => answerOf(200, JSON_TYPE, reply({ error })),
  'no-result': (_, reply) => answerOf(200, JSON_TYPE, reply({})),
  'result-and-error': (_, reply) =>
    answerOf(200, JSON_TYPE, reply({ ...MADE_UP, error: { code: -32603, message: 'Internal error.' } })),
  'error-text': (_, reply) => answerOf(200, JSON_TYPE, reply({ error: 'not today' })),
  array: (_, reply) => answerOf(200, JSON_TYPE, [reply(MADE_UP)]),
  'status-204': () => answerOf(204, []),
  trickle: (_, reply) => answerOf(200, JSON_TYPE, reply(MADE_UP)),
};

export function standIn(fault: Fault, requestBody: string): Answer | undefined {
  if (fault.standIn) return fault.standIn(idOf(requestBody));
  const isBatchOfOne = requestBody.trimStart().startsWith('[') && callsIn(requestBody).length === 1;
  return STAND_INS[fault.name]?.(fault, (members) => {
    const reply = { jsonrpc: '2.0', ...members, id: idOf(requestBody) };
    return isBatchOfOne ? [reply] : reply;
  });
}

const unchanged: Spoil = (answer) => answer;

/** Changes the JSON-RPC reply in an answer, also the only one of a batch. Keeps any other answer. */
export function replying(change: (reply: Reply, id: unknown) => object): Spoil {
  return (answer, id) => {
    const value = tryJson(textOfBytes(answer.body))?.value;
    const isBatchOfOne = Array.isArray(value) && value.length === 1;
    const reply: unknown = isBatchOfOne ? value[0] : value;
    if (!isObject(reply)) return answer;
    const changed = change(reply, id);
    return { ...answer, body: utf8ToBytes(writeJson(isBatchOfOne ? [changed] : changed)) };
  };
}

const isNumeric = (id: unknown) => typeof id === 'string' && id.trim() !== '' && !Number.isNaN(Number(id));

/** The faults that change the answer of the server, or how {@link send} sends the unchanged answer. */
const SPOILS: Readonly<Partial<Record<FaultName, Spoil>>> = {
  late: unchanged,
  truncate: unchanged,
  'reply-lost': unchanged,
  'split-reply': unchanged,
  'wrong-id': replying((reply, id) => ({
    ...reply,
    id: typeof id === 'number' ? id + 1_000_003 : `${String(id)}-another`,
  })),
  'number-id': replying((reply, id) => ({ ...reply, id: isNumeric(id) ? tryJson(String(id))?.value : id })),
  'string-id': replying((reply, id) => ({ ...reply, id: id === null ? null : String(id) })),
  'result-null': replying((reply) => ({ ...reply, result: null })),
  'result-empty': replying((reply) => ({ ...reply, result: {} })),
  'more-members': replying((reply) => ({ ...reply, ...MORE, result: { ...Object(reply.result), ...MORE } })),
  gzip: ({ headers, body, ...answer }) => ({
    ...answer,
    headers: [...headers, ['content-encoding', 'gzip']],
    // No party in a browser asks for `gzip`, so there it stays as it is.
    body: zlib?.gzipSync(body) ?? body,
  }),
  huge: (answer) => ({
    ...answer,
    body: concatBytes(new Uint8Array(HUGE_PADDING_BYTES).fill(BLANK), answer.body),
  }),
  'duplicate-members': (answer) => ({
    ...answer,
    body: utf8ToBytes(textOfBytes(answer.body).replace('{', '{"id":"another","result":"another",')),
  }),
};

export function spoil(fault: Fault, answer: Answer, requestBody: string): Answer {
  return (fault.spoil ?? SPOILS[fault.name] ?? unchanged)(answer, idOf(requestBody));
}

const MORE = { storedAt: '2026-01-15T09:00:00.000Z' };

/** The blanks before a `huge` reply, far more than any reply of the interface needs. */
const HUGE_PADDING_BYTES = 8 * 1024 * 1024;
const BLANK = 0x20;

/** The JSON-RPC calls in a request body, which may be one call or a batch. */
function callsIn(requestBody: string): SentCall[] {
  const value = tryJson(requestBody)?.value;
  const found = Array.isArray(value) ? value : [value];
  return found.filter((call): call is SentCall => isObject(call) && 'method' in call);
}

type Sending = {
  fault?: Fault | undefined;
  pause: Pause;
  /** Called just before the last part is sent, or when the caller has left before. */
  beforeEnd: () => void;
};

/**
 * Sends an answer. `truncate` announces the whole body and sends half. `late` waits first. `split-reply`
 * sends three parts with pauses. `trickle` sends a blank now and then, and never the reply.
 */
export function send(response: ServerResponse, answer: Answer, { fault, pause, beforeEnd }: Sending): void {
  const { body, status, headers } = answer;
  const begin = () => {
    // The headers are those of the server, so Node must not add a Date.
    response.sendDate = false;
    response.writeHead(status, replyHeaders(response, answer).flat());
  };
  const end = (rest: Uint8Array) => {
    beforeEnd();
    response.end(rest);
  };
  // The caller may have closed the connection during the delay: then nothing more is sent.
  const later = (ms: number, then: () => void) =>
    pause(ms, () => (response.destroyed ? beforeEnd() : then()));
  switch (fault?.name) {
    case 'truncate':
      begin();
      beforeEnd();
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    case 'split-reply': {
      begin();
      const third = Math.ceil(body.length / 3);
      response.write(body.subarray(0, third));
      later(delayOf(fault), () => {
        response.write(body.subarray(third, 2 * third));
        later(delayOf(fault), () => end(body.subarray(2 * third)));
      });
      return;
    }
    case 'trickle': {
      response.writeHead(status, headers.flat());
      const blank = () => {
        response.write(' ');
        later(TRICKLE_INTERVAL_MS, blank);
      };
      blank();
      return;
    }
    case 'late':
      later(delayOf(fault), () => {
        begin();
        end(body);
      });
      return;
    default:
      begin();
      end(body);
  }
}

/** How long (ms) `late` waits, and `split-reply` between two of its three parts. */
export const delayOf = ({ name, delay }: Fault): number => delay ?? (name === 'late' ? 1_000 : 30);

/** The pause between two blanks (ms), short enough that the connection never counts as idle. */
const TRICKLE_INTERVAL_MS = 100;

/**
 * The headers of the server, except those about its connection. The length is that of the body that is sent.
 * An answer without a body (to HEAD, or status 304) keeps the length that the server announced.
 */
function replyHeaders({ req }: ServerResponse, { status, headers, body }: Answer): [string, string][] {
  const passed = headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
  const announced = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (req.method === 'HEAD' || status === 304) return [...passed, ...announced];
  return status === 204 ? passed : [...passed, ['content-length', String(body.length)]];
}

/** Headers about one connection, not about the message. */
const HOP_BY_HOP = new Set(
  'connection keep-alive transfer-encoding content-length upgrade proxy-connection'.split(' '),
);

/** The id of the only call; null where there is none, as JSON-RPC answers an unreadable request. */
function idOf(requestBody: string): unknown {
  const value = tryJson(requestBody)?.value;
  const call: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(call) ? (call.id ?? null) : null;
}

export class ArmedFaults {
  readonly #armed = new Set<MetFault>();

  /** Injects a fault into the next matching calls. Returns a function that removes the fault. */
  arm(armed: Armed): () => void {
    const entry: MetFault = { times: 1, ...armed, held: new Set() };
    this.#armed.add(entry);
    return () => {
      this.#armed.delete(entry);
      // A call that this fault left without an answer would hang for ever.
      for (const connection of entry.held) connection.destroy();
    };
  }

  /** Returns the first fault that one of the calls in a request body meets, and counts the call. */
  take(body: string): MetFault | undefined {
    if (this.#armed.size === 0) return undefined;
    const calls = callsIn(body);
    const met = [...this.#armed].find(
      ({ method, times, of = () => true }) =>
        times > 0 && calls.some((call) => (method === undefined || call.method === method) && of(call)),
    );
    if (met) {
      met.times--;
      met.onMet?.();
    }
    return met;
  }
}
