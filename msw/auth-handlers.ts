/** msw handlers that answer like the mock authorization server, with the EHR handlers that they call. */
import { http, type RequestHandler } from 'msw';
import { orphans } from '#mis-fixtures/personas.ts';
import { type Context, DEFAULT_RULES } from '#mock-auth-server/context.ts';
import { createHandler } from '#mock-auth-server/handle.ts';
import { type InMemoryParts, openInMemory } from '#mock-auth-server/in-memory.ts';
import { readAttribute } from '#mock-auth-server/otp/attribute.ts';
import {
  type Message,
  messagesTo,
  readOutboxQuery,
  type Outbox as ServerOutbox,
} from '#mock-auth-server/outbox/outbox.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { EhrHandlers } from './ehr-handlers.ts';
import { type Base, corsHeaders, fault, jsonText, pathBelow, readBase, rpcHandler } from './http-rules.ts';
import { strictly } from './strictly.ts';

/** The messages that the server sent, for a test that acts as the user. */
export type Outbox = ReturnType<typeof outboxReader>;

export type AuthHandlersOptions = {
  /** The server's base URL, as the client is given it. Calls go to its root. */
  url: string | URL;
  /** The EHR handlers that this server calls. The calls stay in memory: msw sees no request. */
  ehr: EhrHandlers;
  /** Default: the clock of the EHR handlers. */
  clock?: Clock;
  /** Default: the random source of the EHR handlers. */
  random?: Random;
  /** Seconds until another code may be requested for a phone. Default 30; tests that sign in often use 0. */
  otpResendAfter?: number;
  /** Phones and e-mail addresses of users without correspondence entry. Default: those of the personas. */
  withoutCorrespondence?: readonly string[];
  /** Whether `auth.login`, which needs no code, is served. Default false. */
  allowTestLogin?: boolean;
};

/** The handlers, to be spread into `setupServer` or `setupWorker`. */
export type AuthHandlers = RequestHandler[] & {
  /** The messages that were sent, from which a test reads the code. */
  readonly outbox: Outbox;
  /** Deletes all users, sessions, codes and messages; for `afterEach`. */
  reset(): void;
};

/**
 * Creates handlers for the authorization server at `url`: all methods of its table, and `GET
 * /outbox?to=PHONE&wait=SECONDS`.
 * @throws {TypeError} when `url` is no URL
 * @example
 * await call('http://auth.test', 'auth.request_otp', { phone: '79990000001' });
 * await call('http://auth.test', 'auth.confirm_otp', { phone: '79990000001', code:
 * auth.outbox.code('79990000001') });
 */
export function authHandlers(options: AuthHandlersOptions): AuthHandlers {
  const { url, ehr, clock = ehr.ehr.clock, random = ehr.ehr.random } = options;
  const config = rulesOf(options);
  const { internal } = ehr.ehr;
  const open = () => openInMemory({ clock, random, config, internal, ehr: ehrInMemory(ehr) });
  let context = open();
  const pipeline = strictly((report) => createHandler(context, report));
  const base = readBase(url);
  const handlers = [
    outboxHandler(base, () => context.outbox),
    // GET is left to other handlers: the application may serve a page at the same address.
    rpcHandler({
      base,
      endpoint: '/',
      alsoServes: ['GET', 'HEAD'],
      answer: (body) => pipeline(body, 'public'),
    }),
  ];
  const reset = () => {
    context.outbox.close();
    context = open();
  };
  return Object.assign(handlers, { outbox: outboxReader(() => context.outbox), reset });
}

/** The server's settings: those that the options name, and the defaults. */
function rulesOf(options: AuthHandlersOptions): Context['config'] {
  const { withoutCorrespondence = orphans } = options;
  return {
    ...DEFAULT_RULES,
    ...(options.allowTestLogin !== undefined && { allowTestLogin: options.allowTestLogin }),
    ...(options.otpResendAfter !== undefined && { otpResendAfter: options.otpResendAfter }),
    withoutCorrespondence: withoutCorrespondence.map(
      (text) => readAttribute(text)?.value ?? text.toLowerCase(),
    ),
  };
}

/** The EHR server as this one reaches it: its requests are answered in memory. */
function ehrInMemory({ ehr: { pipeline } }: EhrHandlers): InMemoryParts['ehr'] {
  const send: typeof fetch = async (_url, init) => {
    const { body } = await pipeline(String(init?.body), 'internal');
    return new Response(body);
  };
  return { url: 'http://ehr.invalid', apiVersion: '', fetch: send };
}

function outboxHandler(base: Base, outbox: () => ServerOutbox): RequestHandler {
  return http.get(
    ({ request }) => pathBelow(base, request) === '/outbox/',
    async ({ request }) => {
      const cors = { ...corsHeaders(request), 'Access-Control-Expose-Headers': 'Outbox-Cursor' };
      const query = readOutboxQuery(new URL(request.url).searchParams);
      if (typeof query === 'string') return fault(400, { reason: 'bad_request', message: query }, cors);
      const delivery = await outbox().wait(query, query.wait * 1_000, request.signal);
      if (!delivery)
        return fault(429, { reason: 'too_many', message: 'Too many callers wait for messages.' }, cors);
      const headers = { ...cors, 'Outbox-Cursor': String(delivery.cursor) };
      return jsonText(JSON.stringify(delivery.messages), 200, headers);
    },
  );
}

/** Creates the reader of the server's outbox. `current` returns the outbox since the last reset. */
function outboxReader(current: () => ServerOutbox) {
  return {
    /** Returns the messages, newest first: to one phone or e-mail address, in any notation, or to all. */
    messages: (to?: string): Message[] => messagesTo(current(), to),
    /** Returns the newest code sent to a phone or e-mail address. @throws {Error} when none was sent */
    code(to: string): string {
      const [newest] = messagesTo(current(), to);
      if (newest) return newest.code;
      const others = [...new Set(messagesTo(current()).map((message) => message.to))].join(', ') || 'nobody';
      throw new Error(
        `Failed to read the code sent to ${to}: none was sent. Messages were sent to: ${others}. Please call auth.request_otp first.`,
      );
    },
  };
}
