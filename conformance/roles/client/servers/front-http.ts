/** HTTP before both servers: reads a request of the client, hands it on, and sends the answer. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { KeptBodies } from '#service/http/kept-bodies.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import { chunksOf, TooLarge } from '../../../engine/wire/body.ts';
import type { Reply } from './troubles.ts';

/** Whether a browser asks beforehand if a page may make a call. A client in a browser knows nothing of it. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Lets a page read the answer. The servers have invented people alone, so that every page may. */
export function admitPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader(
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? 'content-type',
  );
  // On a connection that was used before, a browser repeats a call whose answer is lost, unseen by its page.
  response.setHeader('connection', 'close');
}

export const NO_ANSWER: Reply = { status: 502, body: '' };

/** Returns a request without its body. */
export function headOf(request: IncomingMessage): RawExchange['request'] {
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return {
    httpVersion: request.httpVersion,
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: '',
  };
}

/** Returns the text of a body, or of what came until it broke off; undefined where it is too large. */
export async function bodyOf(message: IncomingMessage, room?: KeptBodies): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of chunksOf(message, room)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const NOT_PASSED_ON = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'keep-alive',
]);

/** Hands a request to the server, and returns its answer. */
export function forward(base: string, { request }: RawExchange): Promise<Reply> {
  const headers = Object.fromEntries(
    request.headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())),
  );
  const body = Buffer.from(request.body, 'utf8');
  const hasBody = body.length > 0;
  return new Promise((resolve) => {
    const sent = httpRequest(
      new URL(request.path, base),
      { method: request.method, headers: { ...headers, ...(hasBody && { 'content-length': body.length }) } },
      async (answer) => {
        const type = answer.headers['content-type'];
        resolve({
          status: answer.statusCode ?? 502,
          body: (await bodyOf(answer)) ?? '',
          ...(type && { headers: { 'content-type': type } }),
        });
      },
    );
    sent.on('error', () => resolve(NO_ANSWER));
    sent.end(hasBody ? body : undefined);
  });
}

export function send(response: ServerResponse, reply: Reply | undefined): void {
  if (!reply) {
    response.destroy();
    return;
  }
  const body = Buffer.from(reply.body, 'utf8');
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...reply.headers };
  response.writeHead(reply.status, { ...headers, 'content-length': body.length });
  if (!reply.cut) response.end(body);
  else response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
