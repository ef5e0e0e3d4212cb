/** For tests: REST with nested JSON, ids in paths, phones with a plus, and a token of a kind of its own. */
import { Core, type CorePorts, CoreRefusal, type HttpReply, serve } from './core.ts';
import { sendJson, type Walk } from './walk.ts';

/** Starts the server. */
export function startRestServer(ports: CorePorts): Promise<string> {
  const core = new Core(ports);
  return serve(async ({ method, parts, header, text }) => {
    const attributes = JSON.parse(text || '{}').data?.attributes ?? {};
    const token = header('authorization').replace('Bearer ', '');
    const [, , kind, id, what] = parts;
    const route = `${method} ${kind} ${what ?? ''}`.trim();
    const routes: Record<string, () => Promise<HttpReply> | HttpReply> = {
      'POST challenges': async () => {
        const attempt = await core.requestCode(attributes.contact?.phone);
        return { status: 201, body: { data: { type: 'challenge', id: attempt } } };
      },
      'PUT challenges answer': async () => {
        const opened = await core.confirm(id, attributes.secret, attributes.ehrSignature);
        const session = { accessToken: opened.token, lifetimeMinutes: opened.ttl };
        return { status: 200, body: { data: { session, person: { id: opened.user, roles: ['patient'] } } } };
      },
      'POST persons ehr-tickets': async () => ({
        status: 201,
        body: { data: { type: 'ticket', attributes: { value: await core.exchange(token) } } },
      }),
      'PUT persons ehr-link': async () => {
        await core.link(token, attributes.signature);
        return { status: 204 };
      },
      'GET persons': () => ({
        status: 200,
        body: { data: { id: core.session(token).user, since: '2026-01-05' } },
      }),
      'DELETE sessions': () => {
        core.logout(token);
        return { status: 204 };
      },
      'DELETE persons': () => {
        core.remove(token);
        return { status: 204 };
      },
    };
    try {
      return (await routes[route]?.()) ?? { status: 404, body: { errors: [{ code: 'no_route' }] } };
    } catch (error) {
      if (!(error instanceof CoreRefusal)) throw error;
      const status = error.message === 'session' ? 401 : 422;
      return { status, body: { errors: [{ code: `${error.message}_refused`, detail: 'That cannot be.' }] } };
    }
  });
}

/** Plays an application of the server. */
export const walkRest: Walk = async ({ browser, url, phone, codeFor, linkAtEhr }) => {
  const api = `${url}/api/v2`;
  const data = (attributes: object) => ({ data: { type: 'thing', attributes } });
  const signIn = async (ehrSignature: string | null, wrongFirst: boolean) => {
    const since = await codeFor.count(phone);
    const asked = await sendJson(
      browser,
      `${api}/challenges`,
      data({ contact: { phone: `+${phone}` }, channel: 'SMS' }),
    );
    const { id } = Object(asked.json.data);
    const answer = (secret: string) =>
      sendJson(browser, `${api}/challenges/${id}/answer`, data({ secret, ehrSignature }), { method: 'PUT' });
    if (wrongFirst) await answer('000111');
    const { session, person } = Object((await answer(await codeFor.next(phone, since))).json.data);
    return { user: person.id as string, token: session.accessToken as string };
  };
  const first = await signIn(null, true);
  const headers = { authorization: `Bearer ${first.token}` };
  await browser.send(`${api}/persons/${first.user}`, { headers });
  const ticket = await sendJson(browser, `${api}/persons/${first.user}/ehr-tickets`, {}, { headers });
  const sign = await linkAtEhr(Object(ticket.json.data).attributes.value, first);
  await sendJson(browser, `${api}/persons/${first.user}/ehr-link`, data({ signature: sign }), {
    method: 'PUT',
    headers,
  });
  await browser.send(`${api}/sessions/current`, { method: 'DELETE', headers });
  const second = await signIn(sign, false);
  await browser.send(`${api}/persons/${second.user}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${second.token}` },
  });
};
