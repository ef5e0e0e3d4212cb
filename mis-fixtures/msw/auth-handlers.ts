/**
 * msw handlers that answer like the mock authorization server, together with the EHR handlers that they call.
 */
import { http, type RequestHandler } from 'msw';
import type { Clock } from '#protocol/clock.ts';
import type { Random } from '#protocol/random.ts';
import { personaList } from '../personas.ts';
import { AuthMemory, attributeKey } from './auth-memory.ts';
import { createAuthPipeline } from './auth-pipeline.ts';
import { createEhrCaller } from './ehr-caller.ts';
import type { EhrHandlers } from './ehr-handlers.ts';
import { type Base, corsHeaders, jsonText, pathBelow, readBase, rpcHandler } from './http-rules.ts';
import { MessageStore, type Outbox } from './outbox.ts';
import { strictly } from './strictly.ts';

export type AuthHandlersOptions = {
  /** The server's base URL, as the client is given it. Calls go to its root. */
  url: string | URL;
  /** The EHR handlers that this server calls. The calls stay in memory: msw sees no request. */
  ehr: EhrHandlers;
  /** Default: the clock of the EHR handlers. */
  clock?: Clock;
  /** Default: the random source of the EHR handlers. */
  random?: Random;
  /**
   * Seconds until another code may be requested for the same phone. Default 30; tests that sign in often use
   * 0.
   */
  otpResendAfter?: number;
  /**
   * Phones and e-mail addresses whose users have no correspondence entry. Default: those of the personas
   * without one.
   */
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

const ORPHANS = personaList.filter(({ hasCorrespondenceEntry }) => !hasCorrespondenceEntry).map(({ signIn }) => signIn);

/** Maximum time in seconds that a request may wait for a message. */
const MAX_WAIT_SECONDS = 60;

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
  const { url, ehr, otpResendAfter = 30, withoutCorrespondence = ORPHANS, allowTestLogin = false } = options;
  const { clock = ehr.ehr.clock, random = ehr.ehr.random } = options;
  const memory = new AuthMemory({ clock, random, otpResendAfter, withoutCorrespondence });
  const outbox = new MessageStore(clock, attributeKey);
  const caller = createEhrCaller(ehr.ehr);
  const pipeline = strictly((report) =>
    createAuthPipeline({ memory, outbox, ehr: caller, random, otpResendAfter, allowTestLogin, report }),
  );
  const base = readBase(url);
  const handlers = [
    outboxHandler(base, outbox),
    // GET is left to other handlers: the application may serve a page at the same address.
    rpcHandler({ base, endpoint: '/', alsoServes: ['GET', 'HEAD'], answer: (body) => pipeline(body, 'public') }),
  ];
  const reset = () => {
    memory.clear();
    outbox.clear();
  };
  return Object.assign(handlers, { outbox, reset });
}

function outboxHandler(base: Base, outbox: MessageStore): RequestHandler {
  return http.get(
    ({ request }) => pathBelow(base, request) === '/outbox/',
    async ({ request }) => {
      const query = new URL(request.url).searchParams;
      const wait = Number(query.get('wait') ?? '0');
      if (!(wait >= 0)) {
        const error = { status: 400, reason: 'bad_request', message: 'wait must be a number of seconds.' };
        return jsonText(JSON.stringify({ error }), 400, corsHeaders(request));
      }
      const messages = await outbox.wait(query.get('to') ?? undefined, Math.min(wait, MAX_WAIT_SECONDS) * 1_000);
      return jsonText(JSON.stringify(messages), 200, corsHeaders(request));
    },
  );
}
