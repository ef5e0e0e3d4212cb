/**
 * A recording reverse proxy between two parties. Everything that crosses is in the journal, and faults can be
 * injected.
 */
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Clock } from '#protocol/clock.ts';
import type { ExchangeEntry, Link } from '../../journal/entry.ts';
import type { RawExchange } from '../../journal/observe.ts';
import type { Recorder } from '../../journal/recorder.ts';
import { type BoundServer, bindServer } from './bind.ts';
import { readBody, TooLarge, textOf } from './body.ts';
import {
  type Answer,
  type Call,
  callsIn,
  type Fault,
  type Pause,
  reachesServer,
  send,
  spoil,
  standIn,
} from './faults.ts';
import { Gate } from './gate.ts';
import type { RequestChange } from './request-change.ts';
import { STEP_HEADER } from './step-header.ts';
import { isLoopback, strayOf } from './stray.ts';
import { type ServerTls, TlsSide } from './tls-side.ts';

export type RecordingProxy = {
  /** Base URL of the proxy, used instead of the server's. */
  readonly url: string;
  /** Injects a fault into the next matching calls; returns a function that removes it. */
  arm(armed: Armed): () => void;
  /**
   * Holds the last byte of the requests of these steps until all of them are here, then sends them together.
   */
  gate(steps: readonly number[]): void;
  /** Changes the request of this step on its way. */
  change(step: number, change: RequestChange): void;
  /** Changes the server that requests are passed to. */
  retarget(url: string): void;
  /** The certificates that it can show; absent where it speaks plain HTTP. */
  readonly certificates?: Pick<TlsSide, 'wrong' | 'show' | 'trouble'> | undefined;
  stop(): Promise<void>;
};

export type Armed = {
  /** The JSON-RPC method of the affected calls. */
  method: string;
  fault: Fault;
  /** How many calls are affected; 1 unless given. */
  times?: number;
  /** Selects the affected calls; all unless given. */
  of?: (call: Call) => boolean;
  /** Called at each affected call. */
  onMet?: () => void;
};

export type ProxyOptions = {
  link: Link;
  target: string;
  host?: string;
  port?: number;
  recorder: Recorder;
  clock: Clock;
  /** Its key and certificate; plain HTTP unless given. */
  tls?: ServerTls | undefined;
};

/** Starts a proxy; `port` 0 takes a free one. */
export async function startProxy({
  link,
  target,
  host = '127.0.0.1',
  port = 0,
  recorder,
  clock,
  tls,
}: ProxyOptions): Promise<RecordingProxy> {
  let destination = new URL(target);
  const armed: (Armed & { times: number; held: Set<IncomingMessage> })[] = [];
  // One connection per request: the other side could close a kept one just as it is used again.
  const agents = {
    'http:': new Agent({ keepAlive: false, maxSockets: 256 }),
    'https:': new TlsAgent({ keepAlive: false, maxSockets: 256 }),
  };

  const takeArmed = (body: string) => {
    if (armed.length === 0) return undefined;
    const calls = callsIn(body);
    const met = armed.find(
      ({ method, times, of = () => true }) => times > 0 && calls.some((call) => call.method === method && of(call)),
    );
    if (met) {
      met.times--;
      met.onMet?.();
    }
    return met;
  };
  const pauses = new Set<() => void>();
  const pause: Pause = (ms, then) => {
    const cancel = clock.after(ms, () => {
      pauses.delete(cancel);
      then();
    });
    pauses.add(cancel);
  };

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = pairs(incoming.rawHeaders).filter(([name]) => name.toLowerCase() !== STEP_HEADER);
    const { httpVersion, method = '', url: path = '' } = incoming;
    const raw: RawExchange = { link, request: { httpVersion, method, path, headers, body: '' } };
    const step = incoming.headers[STEP_HEADER];
    const open = recorder.exchange(link, raw, typeof step === 'string' ? Number(step) : undefined);
    let faulty: Pick<ExchangeEntry, 'fault'> = {};
    // A caller that gives up ends the exchange.
    response.on('close', () => open.end(raw, { ...faulty, broke: 'closed-early' }));
    const answered = (answer: Answer) => ({ ...raw, response: shown(answer) });
    let body: Buffer;
    try {
      body = await readBody(incoming);
    } catch (error) {
      if (!(error instanceof TooLarge)) return;
      open.end(answered(TOO_LARGE));
      response.shouldKeepAlive = false;
      send(response, TOO_LARGE, undefined, pause, () => undefined);
      return;
    }
    raw.request.body = textOf(body, headers);
    const stray = strayOf(incoming, body, { link, isLocal: isLoopback(host) });
    if (stray) raw.stray = stray.reason;
    if (stray?.refused) {
      open.end(answered(REFUSED_STRAY));
      send(response, REFUSED_STRAY, undefined, pause, () => undefined);
      return;
    }
    const change = changes.get(Number(step));
    if (change) {
      changes.delete(Number(step));
      const made = change({ method, path, headers, body: raw.request.body });
      body = Buffer.from(made.body);
      Object.assign(raw.request, made);
    }
    const met = takeArmed(raw.request.body);
    const fault = met?.fault;
    if (fault) faulty = { fault: fault.name };
    if (met && fault && !reachesServer(fault)) {
      const answer = standIn(fault, raw.request.body);
      met.held.add(incoming);
      response.on('close', () => met.held.delete(incoming));
      if (answer) {
        send(response, answer, fault, pause, () => open.end(answered(answer), faulty));
      } else if (fault.name !== 'hang') {
        open.end(raw, { ...faulty, broke: 'reset' });
        if (fault.name !== 'reset') incoming.socket.destroy();
        else if (certificates) certificates.reset(incoming.socket);
        else incoming.socket.resetAndDestroy();
      }
      return;
    }
    let answer: Answer;
    try {
      answer = await forward(raw.request, { body, gate: gateFor(step) });
    } catch (error) {
      open.end(raw, { ...faulty, broke: brokeHow(error) });
      incoming.socket.destroy();
      return;
    }
    if (fault?.name === 'reply-lost') {
      open.end(answered(answer), { ...faulty, broke: 'closed-early' });
      incoming.socket.destroy();
      return;
    }
    const given = fault ? spoil(fault, answer, raw.request.body) : answer;
    const broke = fault?.name === 'truncate' ? { broke: 'closed-early' as const } : {};
    // The padding of a huge reply is not worth keeping.
    const kept = fault?.name === 'huge' ? answer : given;
    send(response, given, fault, pause, () => open.end(answered(kept), { ...faulty, ...broke }));
  }

  function forward(
    { method, path, headers }: RawExchange['request'],
    { body, gate }: { body: Buffer; gate: Gate | undefined },
  ): Promise<Answer> {
    const secure = destination.protocol === 'https:';
    const options = {
      method,
      path,
      hostname: destination.hostname.replace(/^\[|\]$/g, ''),
      port: destination.port,
      agent: secure ? agents['https:'] : agents['http:'],
      // A list keeps order, case and repetitions.
      headers: passedHeaders(method, headers, destination.host).flat(),
    };
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)(options, (reply) => {
        readBody(reply).then(
          (bytes) => resolve({ status: reply.statusCode ?? 0, headers: pairs(reply.rawHeaders), body: bytes }),
          (cause: unknown) => {
            outgoing.destroy();
            reject(new ReplyBroken('The reply broke off, or is too large.', { cause }));
          },
        );
      });
      outgoing.on('error', reject);
      if (gate) gate.pass(outgoing, body);
      else outgoing.end(body);
    });
  }

  const changes = new Map<number, RequestChange>();
  const gates = new Set<Gate>();
  const gateFor = (step: string | string[] | undefined) => [...gates].find((gate) => gate.isFor(Number(step)));

  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => void pass(incoming, response);
  const certificates = tls && new TlsSide(tls, onRequest);
  const server = certificates?.server ?? createServer(onRequest);
  const bound: BoundServer = await bindServer(server, host, port, tls ? 'https' : 'http');
  return {
    url: bound.url,
    arm(given) {
      const entry = { times: 1, ...given, held: new Set<IncomingMessage>() };
      armed.push(entry);
      return () => {
        if (armed.includes(entry)) armed.splice(armed.indexOf(entry), 1);
        // Ends calls that this fault left hanging.
        for (const incoming of entry.held) incoming.socket.destroy();
      };
    },
    gate(steps) {
      const gate = new Gate(steps, clock, () => gates.delete(gate));
      gates.add(gate);
    },
    change(step, change) {
      changes.set(step, change);
    },
    retarget(url) {
      destination = new URL(url);
    },
    certificates,
    async stop() {
      for (const cancel of pauses) cancel();
      await bound.stop();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] as string,
    rawHeaders[2 * index + 1] as string,
  ]);
}

/** Headers of the connection, not of the message. */
const NOT_PASSED = new Set([STEP_HEADER, 'host', 'connection', 'keep-alive', 'upgrade', 'expect', 'proxy-connection']);

function passedHeaders(method: string, headers: readonly [string, string][], host: string): [string, string][] {
  const passed = headers.filter(([name]) => !NOT_PASSED.has(name.toLowerCase()));
  const framed = passed.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  // Without a length or an encoding there is no body, but node:http would send an empty one in chunks.
  const none: [string, string][] =
    framed || !['POST', 'PUT', 'PATCH'].includes(method) ? [] : [['Content-Length', '0']];
  return [['Host', host], ...passed, ...none];
}

class ReplyBroken extends Error {}

function brokeHow(error: unknown): 'refused' | 'reset' | 'closed-early' {
  if (error instanceof ReplyBroken) return 'closed-early';
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'refused';
}

const REFUSED_STRAY: Answer = {
  status: 403,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: Buffer.from('The conformance kit takes no request with this Host or Origin.'),
};

const TOO_LARGE: Answer = {
  status: 413,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: Buffer.from('The conformance kit passes on nothing above 4 MiB.'),
};

function shown({ status, headers, body }: Answer): NonNullable<RawExchange['response']> {
  return { status, headers, body: textOf(body, headers) };
}
