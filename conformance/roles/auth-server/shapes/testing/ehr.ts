/** A small EHR server that verifies an authorization server's requests and answers as a test requires. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, startHttp } from './http.ts';

export const INTERNAL = { ehrUser: 'internal', ehrPassword: 'pässword' };

export type Call = {
  jsonrpc?: unknown;
  id: unknown;
  method: string;
  params: { exchangeToken?: string; authInfo?: { user: string; token: string; ttl: unknown } };
  cred?: { user: string; token: string };
  path: string;
  headers: IncomingHttpHeaders;
};

const NOT_AUTHORIZED = { code: -33000, message: 'not authorized' };
const USER_UNKNOWN = { code: -34007, message: 'user unknown' };
const TOKEN_STORED = { code: -34003, message: 'token stored' };

export async function startEhr() {
  const calls: Call[] = [];
  const signs = new Map<string, string>();
  const tokens = new Set<string>();
  const exchangeTokens = new Map<string, { user: string; token: string }>();
  const signOf = (user: string) => createHash('sha256').update(user).digest('base64url');
  let answerInstead: ((call: Call, right: () => Answer) => Answer | Promise<Answer>) | undefined;

  function errorOf(call: Call): object | undefined {
    const { exchangeToken, authInfo } = call.params;
    if (!authInfo || !call.cred) return { code: -32602, message: 'invalid params' };
    const secret = call.method.endsWith('exchange_token') ? exchangeToken : signs.get(authInfo.user);
    if (secret === undefined) return USER_UNKNOWN;
    const digest = createHash('sha1').update(`${INTERNAL.ehrPassword}${secret}`).digest('hex');
    if (call.cred.token !== digest || call.cred.user !== INTERNAL.ehrUser) return NOT_AUTHORIZED;
    if (exchangeToken !== undefined) exchangeTokens.set(exchangeToken, authInfo);
    else if (tokens.has(authInfo.token)) return TOKEN_STORED;
    else tokens.add(authInfo.token);
    return undefined;
  }

  const server = await startHttp(({ text, path, headers }) => {
    const call: Call = { ...(JSON.parse(text) as Call), path, headers };
    calls.push(call);
    const right = () => {
      const error = errorOf(call);
      return json({ jsonrpc: '2.0', id: String(call.id), ...(error ? { error } : { result: { id: 'r' } }) });
    };
    return answerInstead ? answerInstead(call, right) : right();
  });

  return {
    url: server.url,
    calls,
    /** Tokens of sessions that the EHR server knows. */
    tokens,
    /** Links the user of an exchange token, as a client does. Returns the user_sign. */
    authenticate(exchangeToken: string): string {
      const info = exchangeTokens.get(exchangeToken);
      if (!info) throw new Error('The EHR server does not know this exchange token.');
      signs.set(info.user, signOf(info.user));
      return signOf(info.user);
    },
    /** Disconnects the user elsewhere. */
    disconnect: (user: string) => void signs.delete(user),
    /** Answers each call by `make` from now on, until called without one. */
    answerWith(make?: typeof answerInstead) {
      answerInstead = make;
    },
  };
}

/** An answer of HTTP 200 with this value, or this text, as JSON. */
export function json(value: unknown): Exclude<Answer, 'hang'> {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}
