/** For tests: how clients of the example servers are played while they are recorded. */

export type WalkParts = {
  send(
    url: string,
    request?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Record<string, unknown>>;
  url: string;
  phone: string;
  codeFor: { count(phone: string): Promise<number>; next(phone: string, since: number): Promise<string> };
  linkAtEhr(exchangeToken: string, cred: { user: string; token: string }): Promise<string>;
};

/** Signs in with one wrong code first, links, logs out, signs in again, and deletes the user. */
export type Walk = (parts: WalkParts) => Promise<void>;

const JSON_TYPE = { 'content-type': 'application/json' };

const sendJson = (
  send: WalkParts['send'],
  url: string,
  json: unknown,
  headers: Record<string, string> = {},
) => send(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(json) });

export const walkPlain: Walk = async ({ send, url, phone: mobile, codeFor, linkAtEhr }) => {
  const signIn = async (more: object, { wrongFirst = false } = {}) => {
    const since = await codeFor.count(mobile);
    await sendJson(send, `${url}/login/start`, { mobile });
    if (wrongFirst) await sendJson(send, `${url}/login/confirm`, { mobile, pin: '000111' });
    const pin = await codeFor.next(mobile, since);
    const { account, session } = Object(
      await sendJson(send, `${url}/login/confirm`, { mobile, pin, ...more }),
    );
    return { user: account.id as string, token: session.bearer as string };
  };
  const first = await signIn({}, { wrongFirst: true });
  const headers = { authorization: `Bearer ${first.token}` };
  const { ticket } = Object(await sendJson(send, `${url}/ehr/exchange-token`, {}, headers));
  const signature = await linkAtEhr(ticket, first);
  await sendJson(send, `${url}/ehr/linked`, { signature }, headers);
  await send(`${url}/logout`, { method: 'POST', headers });
  const second = await signIn({ ehrSignature: signature });
  await send(`${url}/me`, { method: 'DELETE', headers: { authorization: `Bearer ${second.token}` } });
};

export const walkRpc: Walk = async ({ send, url, phone, linkAtEhr }) => {
  let id = 0;
  const call = async (method: string, params: object, cred?: object) =>
    Object(
      (await sendJson(send, url, { jsonrpc: '2.0', id: ++id, method, params, ...(cred && { cred }) })).result,
    );
  const signIn = async (more: object, { wrongFirst = false } = {}) => {
    await call('auth.request_otp', { phone });
    if (wrongFirst) await call('auth.confirm_otp', { phone, code: '000111' });
    // Not recorded: a person reads the code, and the client does not fetch it.
    const [message] = (await (await fetch(`${url}/outbox?to=${phone}`)).json()) as { code: string }[];
    return (await call('auth.confirm_otp', { phone, code: message?.code, ...more })).authInfo;
  };
  const { user, token } = await signIn({}, { wrongFirst: true });
  const { exchangeToken } = await call('auth.exchange_token', {}, { user, token });
  const sign = await linkAtEhr(exchangeToken, { user, token });
  await call('auth.report_link', { user_sign: sign }, { user, token });
  await call('auth.logout', {}, { user, token });
  const second = await signIn({ ehr_user_sign: sign });
  await call('auth.delete_user', {}, { user: second.user, token: second.token });
};
