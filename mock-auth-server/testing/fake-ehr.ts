/** A scripted EHR server for tests: it accepts, refuses, hangs, breaks off, or sends nonsense. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type EhrMethod, ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type Reason, RpcError } from '#protocol/wire/errors.ts';
import { violationsOf } from '#protocol/wire/violations.ts';
import { bind } from '#service/http/listener/ports.ts';

/** What the fake does with one request. The default is `accept`. */
export type Behaviour =
  | { kind: 'accept' | 'accept_with_number_id' | 'reset' | 'cut_body' }
  | { kind: 'hang' | 'hang_after_headers' | 'hang_in_body' }
  | { kind: 'wrong_id' | 'not_json' | 'truncated_json' | 'not_utf8' | 'empty' }
  | { kind: 'no_result' | 'too_large' | 'redirect' }
  | { kind: 'in_parts' }
  | { kind: 'result'; result: unknown }
  | { kind: 'status'; status: number }
  | { kind: 'refuse'; reason: Reason }
  | { kind: 'refuse_in_its_own_words'; code: number; message: string; data?: unknown }
  | { kind: 'hold'; until: Promise<unknown> };

/** A received request. `body` is the parsed message. */
export type Received = {
  path: string;
  verb: string;
  headers: IncomingMessage['headers'];
  text: string;
  body: {
    jsonrpc: string;
    id: number;
    method: EhrMethod;
    params: { exchangeToken?: string; authInfo: { user: string; token: string; ttl: number } };
    cred: { user: string; token: string };
  };
};

export type FakeEhr = {
  url: string;
  received: Received[];
  violations: string[];
  next(...behaviours: Behaviour[]): void;
  /** Hold the request that `ask` leads to until `goOn` is called, then accept it. */
  holding<Result>(ask: () => Promise<Result>): Promise<{ asked: Promise<Result>; goOn: () => void }>;
  untilReceived(): Promise<void>;
  stop(): Promise<void>;
};

export async function startFakeEhr(): Promise<FakeEhr> {
  const received: Received[] = [];
  const violations: string[] = [];
  const planned: Behaviour[] = [];
  const events = new EventEmitter();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const item: Received = {
        path: request.url ?? '',
        verb: request.method ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text),
      };
      received.push(item);
      violations.push(...requestViolations(item));
      const guard = (status: number, reply: string) =>
        violations.push(...violationsOf({ status, request: text, reply }, ehrMethods));
      void behave(planned.shift() ?? { kind: 'accept' }, item, response, guard);
      events.emit('received');
    });
  });
  const port = await bind(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    violations,
    next: (...behaviours) => void planned.push(...behaviours),
    async holding(ask) {
      const came = once(events, 'received');
      planned.push({ kind: 'hold', until: once(events, 'go on') });
      const asked = ask();
      await came;
      return { asked, goOn: () => void events.emit('go on') };
    },
    async untilReceived() {
      if (received.length === 0) await once(events, 'received');
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Guard = (status: number, reply: string) => void;

async function behave(
  behaviour: Behaviour,
  { body }: Received,
  response: ServerResponse,
  guard: Guard,
): Promise<void> {
  const id = String(body.id);
  const wellFormed = (text: string) => {
    guard(200, text);
    reply(response, 200, text);
  };
  switch (behaviour.kind) {
    case 'accept':
      return wellFormed(accepted(id));
    case 'accept_with_number_id':
      return wellFormed(accepted(body.id));
    case 'result':
      return reply(
        response,
        200,
        JSON.stringify({ jsonrpc: '2.0', result: behaviour.result, id, vendor: 'of its own' }),
      );
    case 'hold':
      await behaviour.until;
      return wellFormed(accepted(id));
    case 'refuse':
      return wellFormed(
        JSON.stringify({ jsonrpc: '2.0', error: new RpcError(behaviour.reason).toObject(), id }),
      );
    case 'hang':
    case 'hang_after_headers':
    case 'hang_in_body':
    case 'reset':
    case 'cut_body':
    case 'in_parts':
      return breakConnection(behaviour.kind, accepted(id), response);
    default:
      reply(response, ...wrongAnswer(behaviour, id));
  }
}

const accepted = (id: string | number) => JSON.stringify({ jsonrpc: '2.0', result: { id: 'r-1' }, id });

function reply(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

type BrokenConnection = 'hang' | 'hang_after_headers' | 'hang_in_body' | 'reset' | 'cut_body' | 'in_parts';

/** The answer does not come, or not whole, or byte by byte. */
async function breakConnection(
  kind: BrokenConnection,
  text: string,
  response: ServerResponse,
): Promise<void> {
  const begin = (headers: Record<string, string> = {}) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
  switch (kind) {
    case 'hang':
      return;
    case 'hang_after_headers':
      return begin().flushHeaders();
    case 'hang_in_body':
      return void begin().write('{"jsonrpc":');
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'cut_body':
      begin({ 'content-length': '1000' }).write('{"jsonrpc":"2.0"');
      return void setImmediate(() => response.socket?.destroy());
    case 'in_parts':
      begin();
      for (const byte of Buffer.from(text.replace('r-1', 'Ж'))) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      return void response.end();
  }
}

type WrongAnswer = Exclude<
  Behaviour,
  { kind: BrokenConnection | 'accept' | 'accept_with_number_id' | 'result' | 'hold' | 'refuse' }
>;

/** A whole answer that is not what the interface says. */
function wrongAnswer(
  behaviour: WrongAnswer,
  id: string,
): [status: number, text: string | Buffer, headers?: Record<string, string>] {
  switch (behaviour.kind) {
    case 'refuse_in_its_own_words': {
      const { code, message, data } = behaviour;
      return [200, JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id })];
    }
    case 'wrong_id':
      return [200, accepted(`${id}0`)];
    case 'not_json':
      return [200, '<html>Welcome</html>'];
    case 'truncated_json':
      return [200, accepted(id).slice(0, -4)];
    case 'not_utf8':
      return [200, Buffer.from(accepted(id).replace('r-1', '\u00ff'), 'latin1')];
    case 'empty':
      return [200, ''];
    case 'no_result':
      return [200, JSON.stringify({ jsonrpc: '2.0', id })];
    case 'too_large':
      return [200, accepted(id) + ' '.repeat(64 * 1024)];
    case 'redirect':
      return [307, '', { location: '/elsewhere/' }];
    case 'status':
      return [behaviour.status, accepted(id)];
  }
}

/** The violations of the method table in a request of the authorization server. */
function requestViolations({ verb, headers, body }: Received): string[] {
  const spec = ehrMethods[body.method];
  if (!spec) return ['The request names no method of the EHR server.'];
  const violations: string[] = [];
  if (verb !== 'POST' || headers['content-type'] !== 'application/json')
    violations.push('The request is not a POST of JSON.');
  if (spec.access !== 'internal')
    violations.push(`The authorization server called ${body.method}, which is not its own.`);
  if (!spec.params.safeParse(body.params).success) violations.push(`The params do not fit ${body.method}.`);
  if (!/^[0-9a-f]{40}$/.test(body.cred.token)) violations.push('cred.token is not a digest.');
  return violations;
}
