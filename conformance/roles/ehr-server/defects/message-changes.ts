/** The ways in which a variant changes HTTP requests and responses, and the JSON of calls, batches and replies. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isObject } from '#protocol/wire/envelope.ts';
import { type Members, membersOf, type RpcCall } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import { jsonIn } from '../world/messages.ts';

/** The text of an error that names no call. */
export const errorText = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

export const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

export const inBatches = (
  change: (calls: RpcCall[], parts: EhrServerParts) => unknown[] | undefined | Promise<unknown[] | undefined>,
): EhrChange => ({
  pipeline: (pipeline, parts) => async (text, channel) => {
    const calls = jsonIn(text);
    const isBatch = Array.isArray(calls) && calls.every(isObject);
    const changed = isBatch ? await change(calls as RpcCall[], parts) : undefined;
    return pipeline(changed ? JSON.stringify(changed) : text, channel);
  },
});

const inAnswers = (change: (value: unknown) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body } = await pipeline(text, channel);
    return { body: body === undefined ? undefined : JSON.stringify(change(JSON.parse(body))) };
  },
});

export const inBatchReplies = (change: (replies: Members[]) => unknown): EhrChange =>
  inAnswers((value) => (Array.isArray(value) ? change(value) : value));

export const inReplies = (change: (reply: Members) => unknown): EhrChange =>
  inAnswers((value) => (isObject(value) ? change(value) : value));

export const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => ('error' in reply ? { ...reply, error: change(membersOf(reply.error)) } : reply));

/** Change a call by the headers or the connection that it came with; undefined: it stays as it is. */
export function byRequest(
  change: (call: Members, request: IncomingMessage) => Members | undefined,
): EhrChange {
  return {
    http: (listener) => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const call = jsonIn(body.toString());
        const changed = isObject(call) ? change(call, request) : undefined;
        listener(withBody(request, changed ? Buffer.from(JSON.stringify(changed)) : body), response);
      });
    },
  };
}

/** The right server reads a stream with these members: it is cast to a request. */
function withBody({ method, url, headers, socket }: IncomingMessage, body: Buffer): IncomingMessage {
  const source = Readable.from(body.length === 0 ? [] : [body]);
  const length = { 'content-length': String(body.length) };
  const head = { method, url, headers: { ...headers, ...length }, socket };
  return Object.assign(source, head) as unknown as IncomingMessage;
}

type Answered = { status: number; headers: Record<string, string>; body: string };

export function inResponses(
  change: (answered: Answered, request: IncomingMessage) => Partial<Answered>,
): EhrChange {
  return {
    http: (listener) => (request, response) => {
      capture(response, (answered) => ({ ...answered, ...change(answered, request) }));
      listener(request, response);
    },
  };
}

/** Holds a response back until it is complete, and sends what `change` makes of it. */
function capture(response: ServerResponse, change: (answered: Answered) => Answered): void {
  const send = { head: response.writeHead.bind(response), end: response.end.bind(response) };
  const headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  const take = (chunk: unknown) => {
    // `end` may be called without a chunk. The cast is for one of the types that `from` takes.
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const write = (chunk: unknown) => {
    take(chunk);
    return true;
  };
  const writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    // The headers are the last argument; a text before them is the reason phrase.
    Object.assign(headers, headersIn(rest.at(-1)));
    return response;
  };
  const end = (chunk?: unknown) => {
    take(chunk);
    const own = { ...headersIn(response.getHeaders()), ...headers };
    const body = Buffer.concat(chunks).toString();
    const sent = change({ status: response.statusCode, headers: own, body });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    const others = Object.fromEntries(
      Object.entries(sent.headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
    );
    send.head(sent.status, {
      ...others,
      ...(sent.status !== 204 && { 'content-length': Buffer.byteLength(sent.body) }),
    });
    send.end(sent.body);
    return response;
  };
  Object.assign(response, { writeHead, end, write });
}

function headersIn(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  const pairs = Array.isArray(given)
    ? Array.from({ length: given.length / 2 }, (_, index) => [given[index * 2], given[index * 2 + 1]])
    : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}
