/** A common client for all shapes, so that the test of a fault reads the same for each. */
import { onTestFinished } from 'vitest';
import * as carriedSign from '../carried-sign.mjs';
import * as challenge from '../challenge.mjs';
import type { ShapeOptions } from '../shape.ts';
import { INTERNAL, startEhr } from './ehr.ts';
import { type Reply, send, sendTogether } from './http.ts';
import { startSms } from './sms.ts';

const PHONES = ['79995550001', '79995550002'] as const;
export const [ANN, BEA] = PHONES;
/** Registered, without an entry in the correspondence table. */
export const NO_MEMBER = '79995550009';
export const STRANGER = '79990009999';

export type Session = { user: string; token: string; ttl: number; bearer: string };
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a shape between a fake EHR server and a fake gateway, for one test; its clock stands still. */
export async function startWorld(shape: 'challenge' | 'carried-sign', options: ShapeOptions = {}) {
  const [ehr, sms] = [await startEhr(), await startSms()];
  let time = Date.UTC(2026, 0, 15, 9);
  const start = async () => {
    const { startServer } = shape === 'challenge' ? challenge : carriedSign;
    const server = await startServer({
      ...{ ...INTERNAL, ehrUrl: ehr.url, smsUrl: sms.url, phones: PHONES, notMembers: [NO_MEMBER], controlPort: 0 },
      ...{ resendSeconds: 0, now: () => time, ...options },
    });
    onTestFinished(() => server.close());
    return server;
  };
  let server = await start();
  const url = () => `http://127.0.0.1:${server.port}`;
  const world = {
    ehr,
    sms,
    url,
    control: (path: string, body?: unknown) =>
      send(`http://127.0.0.1:${server.controlPort}${path}`, { method: body === undefined ? 'DELETE' : 'POST', body }),
    advance(ms: number) {
      time += ms;
    },
    async restart() {
      await server.close();
      server = await start();
    },
  };
  return { ...world, ...(shape === 'challenge' ? challengeClient(world) : carriedClient(world)) };
}

type Parts = { url: () => string; sms: Awaited<ReturnType<typeof startSms>> };

/** A requested code, to be confirmed by `confirm`. */
export type Attempt = { phone: string; challenge?: unknown; code: string };

function challengeClient({ url, sms }: Parts) {
  const authorized = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
  const request = (phone: string | readonly string[]) => send(`${url()}/otp`, { body: { phone } });
  return {
    /** Whether the server is told of a link. */
    reportsLinks: true,
    /** A request for a code of {@link ANN} with the given headers. */
    raw: (headers: Record<string, string>, body = JSON.stringify({ phone: ANN })) =>
      send(`${url()}/otp`, { headers, body }),
    request,
    async attempt(phone: string): Promise<Attempt> {
      const { challenge } = (await request(phone)).body;
      return { phone, challenge, code: await sms.code(phone) };
    },
    /** Names `phone` beside the challenge, where it is given. */
    confirm: (
      { challenge }: Attempt,
      code: unknown,
      sign?: string,
      headers: Record<string, string> = {},
      phone?: string,
    ) => send(`${url()}/otp/confirm`, { body: { challenge, phone, code, ehrSign: sign }, headers }),
    /** Confirms with all codes at once. Returns the raw answers. */
    confirmTogether: ({ challenge }: Attempt, codes: readonly string[]) =>
      sendTogether(
        `${url()}/otp/confirm`,
        codes.map((code) => ({ challenge, code })),
      ),
    sessionOf({ body }: Reply): Session {
      const { access, ehr } = body as { access?: { bearer: string }; ehr: Omit<Session, 'bearer'> };
      if (!access) throw new Error(`The sign-in was refused: ${JSON.stringify(body)}`);
      return { ...ehr, bearer: access.bearer };
    },
    isDone: (reply: Reply) => reply.status < 300,
    exchange: ({ bearer }: Session) => send(`${url()}/ehr/token`, { headers: authorized(bearer) }),
    exchangeTokenOf: ({ body }: Reply) => body.exchangeToken as string,
    link: ({ bearer }: Session, sign: unknown) =>
      send(`${url()}/ehr/link`, { headers: authorized(bearer), body: { sign } }),
    logout: ({ bearer }: Session) => send(`${url()}/logout`, { headers: authorized(bearer) }),
    remove: ({ bearer }: Session) => send(`${url()}/ehr`, { method: 'DELETE', headers: authorized(bearer) }),
  };
}

function carriedClient({ url, sms }: Parts) {
  const call = (method: string, params: unknown, cred?: unknown) =>
    send(url(), { body: { jsonrpc: '2.0', id: 1, method, params, cred } });
  const absent = () => Promise.reject(new Error('This shape has no such step.'));
  const request = (phone: string | readonly string[]) => call('auth.request_otp', { phone });
  const wanted = { jsonrpc: '2.0', id: 1, method: 'auth.request_otp', params: { phone: ANN } };
  return {
    reportsLinks: false,
    raw: (headers: Record<string, string>, body = JSON.stringify(wanted)) => send(url(), { headers, body }),
    request,
    async attempt(phone: string): Promise<Attempt> {
      await request(phone);
      return { phone, code: await sms.code(phone.replace(/\D/g, '')) };
    },
    confirm: ({ phone }: Attempt, code: unknown, sign?: string) =>
      call('auth.confirm_otp', { phone, code, ehr_user_sign: sign }),
    confirmTogether: ({ phone }: Attempt, codes: readonly string[]) =>
      sendTogether(
        url(),
        codes.map((code, id) => ({ jsonrpc: '2.0', id, method: 'auth.confirm_otp', params: { phone, code } })),
      ),
    sessionOf({ body }: Reply): Session {
      const { result } = body as { result?: { authInfo: Omit<Session, 'bearer'> } };
      if (!result) throw new Error(`The sign-in was refused: ${JSON.stringify(body)}`);
      return { ...result.authInfo, bearer: result.authInfo.token };
    },
    isDone: (reply: Reply) => 'result' in reply.body,
    exchange: ({ user, token }: Session) => call('auth.exchange_token', [], { user, token }),
    exchangeTokenOf: ({ body }: Reply) => (body.result as { exchangeToken: string }).exchangeToken,
    link: absent,
    logout: absent,
    remove: absent,
  };
}

/** Signs in with the right code. */
export async function signIn(world: World, phone: string = ANN, sign?: string): Promise<Session> {
  const attempt = await world.attempt(phone);
  return world.sessionOf(await world.confirm(attempt, attempt.code, sign));
}

/** Links the user of a session at the EHR server, as a client does, and returns the user_sign. */
export async function authenticate(world: World, session: Session): Promise<string> {
  return world.ehr.authenticate(world.exchangeTokenOf(await world.exchange(session)));
}

/** A six-digit code that differs from this one. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
