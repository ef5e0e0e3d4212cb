/** A recording reverse proxy between two parties: everything that crosses is in the journal, and a fault can be put in its way. */
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Clock } from '#protocol/clock.ts';
import type { Link } from '../journal/entry.ts';
import type { RawExchange } from '../journal/observe.ts';
import type { Recorder } from '../journal/recorder.ts';
import { type BoundServer, bindServer } from './bind.ts';
import { type Answer, type Fault, reachesServer, send, spoil, standIn } from './faults.ts';

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

/** A message larger than this is cut off with 413: nothing of the interface is near it. */
const BODY_LIMIT = 4 * 1024 * 1024;

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
  const agents = {
    'http:': new Agent({ keepAlive: true, maxSockets: 256 }),
    'https:': new TlsAgent({ keepAlive: true, maxSockets: 256 }),
  };

  const takeFault = (body: string): Fault | undefined => {
    const entry = armed.find(({ method, times }) => times > 0 && body.includes(`"${method}"`));
    if (!entry) return undefined;
    entry.times--;
    return entry.fault;
  };
  const hanging = new Set<IncomingMessage>();
  const pause = (ms: number, then: () => void) => void clock.after(ms, then);

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const open = recorder.exchange(link);
    const request: RawExchange['request'] = {
      httpVersion: incoming.httpVersion,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: pairs(incoming.rawHeaders),
      body: '',
    };
    const raw: RawExchange = { link, request };
    const body = await read(incoming).catch(() => undefined);
    if (body === undefined) {
      open.end(raw, { broke: 'closed-early' });
      response.destroy();
      return;
    }
    request.body = body.toString('utf8');
    const fault = takeFault(request.body);
    const faulty = fault && { fault: fault.name };
    // A caller that gives up while the fault lasts ends the exchange from its side.
    response.on('close', () =>
      open.end(raw, { ...faulty, ...(response.writableFinished ? {} : { broke: 'closed-early' as const }) }),
    );
    if (fault && !reachesServer(fault)) {
      const answer = standIn(fault, request.body);
      if (answer) {
        open.end({ ...raw, response: answer }, { ...faulty });
        send(response, answer, fault, pause);
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
    } catch {
      open.end(raw, { ...faulty, broke: 'refused' });
      incoming.socket.destroy();
      return;
    }
    const given = fault ? spoil(fault, answer, request.body) : answer;
    if (fault?.name === 'reply-lost') {
      open.end({ ...raw, response: answer }, { ...faulty, broke: 'closed-early' });
      incoming.socket.destroy();
    } else {
      open.end({ ...raw, response: given }, { ...faulty });
      if (fault?.name === 'late') pause(fault.delay ?? 1_000, () => send(response, given, fault, pause));
      else send(response, given, fault, pause);
    }
  }

  function forward(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const secure = destination.protocol === 'https:';
    const options = {
      method: incoming.method,
      path: incoming.url,
      hostname: destination.hostname,
      port: destination.port,
      agent: secure ? agents['https:'] : agents['http:'],
      headers: { ...passedHeaders(incoming.rawHeaders), host: destination.host, 'content-length': String(body.length) },
    };
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)(options, (reply) => {
        read(reply).then(
          (text) =>
            resolve({ status: reply.statusCode ?? 0, headers: pairs(reply.rawHeaders), body: text.toString('utf8') }),
          reject,
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
      return () => void armed.splice(armed.indexOf(entry), 1);
    },
    hangUp() {
      for (const incoming of hanging) incoming.socket.destroy();
    },
    retarget(url) {
      destination = new URL(url);
    },
    async stop() {
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

const NOT_PASSED = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'expect',
  'proxy-connection',
]);

function passedHeaders(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs(rawHeaders)) if (!NOT_PASSED.has(name.toLowerCase())) headers[name] = value;
  return headers;
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Error('The message is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
