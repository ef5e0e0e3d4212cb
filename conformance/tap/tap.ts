/** A recording reverse proxy between two parties: everything that crosses is in the journal, and a fault can be put in its way. */
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Clock } from '#protocol/clock.ts';
import type { ExchangeEntry, Link } from '../journal/entry.ts';
import type { RawExchange } from '../journal/observe.ts';
import type { Recorder } from '../journal/recorder.ts';
import { type BoundServer, bindServer } from './bind.ts';
import { readBody, TooLarge, textOf } from './body.ts';
import { type Answer, calls, type Fault, type Pause, reachesServer, send, spoil, standIn } from './faults.ts';

export type Tap = {
  /** Base URL of the tap: to be used in place of the server's. */
  readonly url: string;
  /** Puts `fault` in the way of the next `times` requests whose JSON-RPC method is `method`; returns how to take it out again. */
  arm(method: string, fault: Fault, times?: number): () => void;
  /** Breaks the connections that a `hang` fault still holds. */
  hangUp(): void;
  /** Where requests are passed on to from now on. */
  retarget(url: string): void;
  stop(): Promise<void>;
};

export type TapOptions = { link: Link; target: string; host?: string; port?: number; recorder: Recorder; clock: Clock };

/** Starts a tap; `port` 0 takes a free one. */
export async function startTap({
  link,
  target,
  host = '127.0.0.1',
  port = 0,
  recorder,
  clock,
}: TapOptions): Promise<Tap> {
  let destination = new URL(target);
  const armed: { method: string; fault: Fault; times: number }[] = [];
  // A connection for each request: one kept open could be closed by the other side just as it is used again.
  const agents = {
    'http:': new Agent({ keepAlive: false, maxSockets: 256 }),
    'https:': new TlsAgent({ keepAlive: false, maxSockets: 256 }),
  };

  const takeFault = (body: string): Fault | undefined => {
    const entry = armed.find(({ method, times }) => times > 0 && calls(body, method));
    if (!entry) return undefined;
    entry.times--;
    return entry.fault;
  };
  const hanging = new Set<IncomingMessage>();
  const pauses = new Set<() => void>();
  const pause: Pause = (ms, then) => {
    const cancel = clock.after(ms, () => {
      pauses.delete(cancel);
      then();
    });
    pauses.add(cancel);
  };

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = pairs(incoming.rawHeaders);
    const { httpVersion, method = '', url: path = '' } = incoming;
    const raw: RawExchange = { link, request: { httpVersion, method, path, headers, body: '' } };
    const open = recorder.exchange(link, raw);
    let faulty: Pick<ExchangeEntry, 'fault'> = {};
    // A caller that gives up ends the exchange from its side.
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
    const fault = takeFault(raw.request.body);
    if (fault) faulty = { fault: fault.name };
    if (fault && !reachesServer(fault)) {
      const answer = standIn(fault, raw.request.body);
      if (answer) {
        send(response, answer, fault, pause, () => open.end(answered(answer), faulty));
      } else if (fault.name === 'hang') {
        hanging.add(incoming);
        response.on('close', () => hanging.delete(incoming));
      } else {
        open.end(raw, { ...faulty, broke: 'reset' });
        if (fault.name === 'reset') incoming.socket.resetAndDestroy();
        else incoming.socket.destroy();
      }
      return;
    }
    let answer: Answer;
    try {
      answer = await forward(incoming, body);
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
    send(response, given, fault, pause, () => open.end(answered(given), { ...faulty, ...broke }));
  }

  function forward(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const secure = destination.protocol === 'https:';
    const options = {
      method: incoming.method,
      path: incoming.url,
      hostname: destination.hostname.replace(/^\[|\]$/g, ''),
      port: destination.port,
      agent: secure ? agents['https:'] : agents['http:'],
      // A list keeps the order, the case and the repetitions.
      headers: passedHeaders(incoming, destination.host).flat(),
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
      outgoing.end(body);
    });
  }

  const server = createServer((incoming, response) => void pass(incoming, response));
  const bound: BoundServer = await bindServer(server, host, port);
  return {
    url: bound.url,
    arm(method, fault, times = 1) {
      const entry = { method, fault, times };
      armed.push(entry);
      return () => {
        entry.times = 0;
        if (armed.includes(entry)) armed.splice(armed.indexOf(entry), 1);
      };
    },
    hangUp() {
      for (const incoming of hanging) incoming.socket.destroy();
    },
    retarget(url) {
      destination = new URL(url);
    },
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

/** About one connection, and not about the message. */
const NOT_PASSED = new Set(['host', 'connection', 'keep-alive', 'upgrade', 'expect', 'proxy-connection']);

function passedHeaders({ rawHeaders, method = '' }: IncomingMessage, host: string): [string, string][] {
  const passed = pairs(rawHeaders).filter(([name]) => !NOT_PASSED.has(name.toLowerCase()));
  const framed = passed.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  // Without either there is no body, which node:http would send in chunks.
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

const TOO_LARGE: Answer = {
  status: 413,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: Buffer.from('The conformance kit passes on nothing above 4 MiB.'),
};

function shown({ status, headers, body }: Answer): NonNullable<RawExchange['response']> {
  return { status, headers, body: textOf(body, headers) };
}
