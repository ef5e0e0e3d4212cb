/** An SMS gateway in the kit: the server under test changes one base URL and sends its codes here. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/clock.ts';
import { readBody } from '#service/read-body.ts';
import type { RawExchange } from '../../journal/observe.ts';
import { bindServer } from '../../servers/proxy/bind.ts';
import { isLoopback, strayOf } from '../../servers/proxy/stray.ts';
import type { SinkSettings } from '../otp-schema.ts';
import { findCode, phoneOf } from './find-code.ts';
import { sinkShapes } from './sink-shapes.ts';
import type { OtpSource } from './source.ts';

/** Reported while no message has come. */
export const NO_MESSAGE = 'No message has come to the SMS sink.';

const MAX_BODY_BYTES = 64 * 1024;
/** Limits the kept messages: no test sends more. */
const MAX_MESSAGES = 100_000;

/**
 * Opens the SMS sink.
 * @param onStray called with a rejected request that has a foreign Host or Origin, without its body
 * @throws Error that names the address and the remedy when it cannot be listened on
 */
export async function openSink(
  settings: SinkSettings,
  clock: Clock,
  onStray: (raw: RawExchange) => void = () => undefined,
): Promise<OtpSource> {
  const shape = sinkShapes[settings.shape];
  /** Phone to the codes of its messages, oldest first; undefined for a message without a code. */
  const inbox = new Map<string, (string | undefined)[]>();
  const waiting = new Set<() => void>();
  let count = 0;
  let trouble: string | undefined;

  function refuse(response: ServerResponse, status: number, why: string, body: unknown): void {
    trouble = `A request came to the SMS sink that it could not take: ${why}. It expects ${shape.expects}.`;
    answer(response, status, body);
  }

  function take(request: IncomingMessage, path: string, body: Buffer, response: ServerResponse): void {
    const message = shape.read(body.toString('utf8'), (request.headers['content-type'] ?? '').toLowerCase());
    if ('why' in message) {
      refuse(response, message.status, message.why, message.body);
      return;
    }
    if (count >= MAX_MESSAGES) {
      refuse(response, 429, 'it holds as many messages as it can', { error: { reason: 'too_many' } });
      return;
    }
    const phone = phoneOf(message.to);
    const code = findCode(message.text, settings.pattern);
    inbox.set(phone, [...(inbox.get(phone) ?? []), code]);
    trouble =
      code === undefined
        ? `A message came to the SMS sink, and the pattern ${settings.pattern} finds no code in it.`
        : undefined;
    const { status, body: reply } = shape.taken(message, path, ++count, clock.now());
    answer(response, status, reply);
    for (const wake of [...waiting]) wake();
  }

  const server = createServer({ headersTimeout: 20_000, requestTimeout: 60_000 }, (request, response) => {
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    readBody(request, MAX_BODY_BYTES, (body) => {
      const { method = '', httpVersion } = request;
      const stray = strayOf(request, Buffer.alloc(0), { link: 'auth->sms', isLocal: isLoopback(settings.host) });
      if (stray) {
        const about = { httpVersion, method, path, headers: [], body: '' };
        onStray({ link: 'auth->sms', request: about, stray: stray.reason });
        answer(response, 421, { error: { reason: 'foreign_host_or_origin' } });
      } else if (body === 'too_large')
        refuse(response, 413, 'its body is too large', { error: { reason: 'too_large' } });
      else if (shape.isMessage(method, path)) take(request, path, body, response);
      else
        refuse(response, 404, `it was ${method} ${path.slice(0, 100)}`, {
          error: { reason: 'not_found', message: `Send ${shape.expects}.` },
        });
    });
  });
  const bound = await bindServer(server, settings.host, settings.port);

  const newest = (phone: string, since: number) =>
    (inbox.get(phoneOf(phone)) ?? []).slice(since).findLast((code) => code !== undefined);
  let closed = false;
  return {
    smsUrl: bound.url,
    async codeFor(phone, since, waitMs) {
      const now = newest(phone, since);
      if (now !== undefined || waitMs <= 0 || closed) return now;
      return new Promise((resolve) => {
        const settle = () => {
          cancel();
          waiting.delete(look);
          resolve(newest(phone, since));
        };
        const look = () => {
          if (closed || newest(phone, since) !== undefined) settle();
        };
        const cancel = clock.after(waitMs, settle);
        waiting.add(look);
      });
    },
    countsMessages: true,
    messagesTo: async (phone) => inbox.get(phoneOf(phone))?.length ?? 0,
    trouble: () => trouble ?? (count === 0 ? NO_MESSAGE : undefined),
    async close() {
      closed = true;
      for (const wake of [...waiting]) wake();
      await bound.stop();
    },
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
