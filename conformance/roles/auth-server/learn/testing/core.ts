/**
 * For tests: what the small authorization servers in this folder share. Each has an interface of its own
 * before it, in the manner of another framework.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';

/** The name and the password of the servers at the EHR server. */
export const INTERNAL = { user: 'learned', password: 'only for this test' };

export type CorePorts = { ehr: number; sms: number };
export type OpenSession = { user: string; token: string; csrf: string };
type Account = { user: string; phone: string; sign?: string };

/** A refusal; the interface of a server says in its own way why. */
export class CoreRefusal extends Error {}

const secret = () => Buffer.from(systemRandom(24)).toString('base64url');
const TTL_MINUTES = 1_440;

/** Accounts, codes and sessions, and the calls to the EHR server and to the SMS gateway. */
export class Core {
  readonly #ports: CorePorts;
  readonly #accounts = new Map<string, Account>();
  readonly #codes = new Map<string, { phone: string; code: string }>();
  readonly #sessions = new Map<string, OpenSession & { account: Account }>();

  constructor(ports: CorePorts) {
    this.#ports = ports;
  }

  /** Sends a code, and returns the number of the attempt. */
  async requestCode(phone: unknown): Promise<string> {
    if (typeof phone !== 'string' || !/^\+?\d{10,12}$/.test(phone)) throw new CoreRefusal('phone');
    const [code, attempt] = [
      String(100_000 + (Buffer.from(systemRandom(4)).readUInt32BE() % 900_000)),
      secret(),
    ];
    this.#codes.set(attempt, { phone, code });
    await post(`http://127.0.0.1:${this.#ports.sms}/sms`, { to: phone, text: `Your code is ${code}.` });
    return attempt;
  }

  /** Opens a session; where the user is linked, it is saved at the EHR server. */
  async confirm(attempt: unknown, code: unknown, sign?: unknown): Promise<OpenSession & { ttl: number }> {
    const sent = this.#codes.get(String(attempt));
    if (!sent || sent.code !== String(code)) throw new CoreRefusal('code');
    this.#codes.delete(String(attempt));
    const account = this.#accounts.get(sent.phone) ?? { user: `u-${secret()}`, phone: sent.phone };
    this.#accounts.set(sent.phone, account);
    const session = { account, user: account.user, token: secret(), csrf: secret() };
    this.#sessions.set(session.token, session);
    const kept = typeof sign === 'string' ? sign : account.sign;
    if (kept) await this.#callEhr('embedded_storage.save_auth_info', { authInfo: authInfo(session) }, kept);
    return { user: session.user, token: session.token, csrf: session.csrf, ttl: TTL_MINUTES };
  }

  /** The attempt that was made last for a phone, for servers that tell the client none. */
  attemptOf(phone: unknown): string | undefined {
    return [...this.#codes].findLast(([, sent]) => sent.phone === phone)?.[0];
  }

  session(token: unknown): OpenSession {
    const session = this.#sessions.get(String(token));
    if (!session) throw new CoreRefusal('session');
    return session;
  }

  async exchange(token: unknown): Promise<string> {
    const [session, exchangeToken] = [this.session(token), secret()];
    const params = { exchangeToken, authInfo: authInfo(session) };
    await this.#callEhr('embedded_storage.save_exchange_token', params, exchangeToken);
    return exchangeToken;
  }

  async link(token: unknown, sign: unknown): Promise<void> {
    const session = this.session(token);
    if (typeof sign !== 'string') throw new CoreRefusal('sign');
    await this.#callEhr('embedded_storage.save_auth_info', { authInfo: authInfo(session) }, sign);
    const account = [...this.#accounts.values()].find(({ user }) => user === session.user);
    if (account) account.sign = sign;
  }

  logout(token: unknown): void {
    this.session(token);
    this.#sessions.delete(String(token));
  }

  remove(token: unknown): void {
    const { user } = this.session(token);
    for (const [phone, account] of this.#accounts) if (account.user === user) this.#accounts.delete(phone);
    for (const [key, session] of this.#sessions) if (session.user === user) this.#sessions.delete(key);
  }

  async #callEhr(method: string, params: object, proven: string): Promise<void> {
    const cred = { user: INTERNAL.user, token: digest(INTERNAL.password, proven) };
    const reply = await post(
      `http://127.0.0.1:${this.#ports.ehr}/1.0-alpha/`,
      callText({ id: 1, method, params, cred }),
    );
    if ('error' in reply && reply.error.code !== TOKEN_STORED) throw new CoreRefusal('ehr');
  }
}

/** The EHR server has this token already: an authentication has saved it. */
const TOKEN_STORED = -34_003;

const authInfo = ({ user, token }: OpenSession) => ({ user, token, ttl: TTL_MINUTES });

async function post(url: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return JSON.parse((await (await fetch(url, { method: 'POST', headers, body: text })).text()) || '{}');
}

/** A request to a server of this folder. */
export type Asked = {
  method: string;
  path: string;
  parts: string[];
  cookies: Record<string, string>;
  header: (name: string) => string;
  text: string;
};
/** Its answer; `body` is sent as JSON unless it is text. */
export type HttpReply = { status: number; headers?: Record<string, string | string[]>; body?: unknown };

/** Starts a server until the test ends, and returns its address. */
export async function serve(answer: (asked: Asked) => Promise<HttpReply>): Promise<string> {
  const server = createServer(async (request, response) => {
    const {
      status,
      headers = {},
      body,
    }: HttpReply = await answer(await askedBy(request)).catch(() => ({ status: 502 }));
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/html; charset=utf-8' : 'application/json',
      ...headers,
    });
    response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const cookies = (request.headers.cookie ?? '')
    .split('; ')
    .map((part) => part.split('=') as [string, string]);
  return {
    method: request.method ?? '',
    path: pathname,
    parts: pathname.split('/').slice(1),
    cookies: Object.fromEntries(cookies),
    header: (name) => String(request.headers[name] ?? ''),
    text: Buffer.concat(chunks).toString('utf8'),
  };
}
