/** For tests: how clients of the example servers are played. */
import { sendJson, type Walk } from './walk.ts';

/** The client of the plain JavaScript server: REST with a bearer token. */
export const walkPlain: Walk = async ({ browser, url, phone: mobile, codeFor, linkAtEhr }) => {
  const signIn = async (more: object, wrongFirst: boolean) => {
    const since = await codeFor.count(mobile);
    await sendJson(browser, `${url}/login/start`, { mobile });
    if (wrongFirst) await sendJson(browser, `${url}/login/confirm`, { mobile, pin: '000111' });
    const pin = await codeFor.next(mobile, since);
    const { account, session } = Object(
      (await sendJson(browser, `${url}/login/confirm`, { mobile, pin, ...more })).json,
    );
    return { user: account.id as string, token: session.bearer as string };
  };
  const first = await signIn({}, true);
  const headers = { authorization: `Bearer ${first.token}` };
  const { ticket = '' } = (await sendJson(browser, `${url}/ehr/exchange-token`, {}, { headers })).json;
  const signature = await linkAtEhr(ticket, first);
  await sendJson(browser, `${url}/ehr/linked`, { signature }, { headers });
  await browser.send(`${url}/logout`, { method: 'POST', headers });
  const second = await signIn({ ehrSignature: signature }, false);
  await browser.send(`${url}/me`, { method: 'DELETE', headers: { authorization: `Bearer ${second.token}` } });
};

/** The client of the mock: JSON-RPC. `withCode` is false for its test login. */
export const walkRpc =
  (withCode: boolean): Walk =>
  async ({ browser, url, phone, linkAtEhr }) => {
    let id = 0;
    const call = async (method: string, params: object, cred?: object) =>
      Object(
        (await sendJson(browser, url, { jsonrpc: '2.0', id: ++id, method, params, ...(cred && { cred }) }))
          .json.result,
      );
    const signIn = async (more: object, wrongFirst: boolean) => {
      if (!withCode) return (await call('auth.login', { user: phone, ...more })).authInfo;
      await call('auth.request_otp', { phone });
      if (wrongFirst) await call('auth.confirm_otp', { phone, code: '000111' });
      const [message] = (await (await fetch(`${url}/outbox?to=${phone}`)).json()) as { code: string }[];
      return (await call('auth.confirm_otp', { phone, code: message?.code, ...more })).authInfo;
    };
    const { user, token } = await signIn({}, true);
    const { exchangeToken } = await call('auth.exchange_token', withCode ? {} : [], { user, token });
    const sign = await linkAtEhr(exchangeToken, { user, token });
    await call('auth.report_link', { user_sign: sign }, { user, token });
    await call('auth.logout', {}, { user, token });
    const second = await signIn({ ehr_user_sign: sign }, false);
    await call('auth.delete_user', {}, { user: second.user, token: second.token });
  };
