/** For tests: pages with forms, a session cookie, and a CSRF token in a hidden field. */
import { type Asked, Core, type CorePorts, CoreRefusal, type HttpReply, serve } from './core.ts';
import type { Walk } from './walk.ts';

type Visitor = { csrf: string; attempt?: string; token?: string };

/** Starts the server. */
export function startFormServer(ports: CorePorts): Promise<string> {
  const core = new Core(ports);
  const visitors = new Map<string, Visitor>();
  const away = (location: string, cookies: string[] = []): HttpReply => ({
    status: 302,
    headers: { location, 'set-cookie': cookies },
    body: '',
  });
  const page = (csrf: string, fields: string): HttpReply => ({
    status: 200,
    body: `<!doctype html><meta name="csrf-token" content="${csrf}"><form method="post"><input type="hidden" name="_csrf" value="${csrf}">${fields}</form>`,
  });
  const pages: Record<string, (visitor: Visitor, fields: URLSearchParams) => Promise<HttpReply> | HttpReply> =
    {
      'GET /login': ({ csrf }) => page(csrf, '<input name="phone">'),
      'GET /code': ({ csrf }) => page(csrf, '<input name="code">'),
      'GET /home': ({ csrf, token }) => (token ? page(csrf, '<p>Welcome') : away('/login')),
      'POST /login': async (visitor, fields) => {
        visitor.attempt = await core.requestCode(fields.get('phone'));
        return away('/code');
      },
      'POST /code': async ({ attempt }, fields) => {
        const { token, user, csrf } = await core.confirm(attempt, fields.get('code'));
        visitors.set(token, { csrf, token });
        return away('/home', [`sid=${token}; Path=/`, `member=${user}; Path=/`]);
      },
      'POST /records/key': async ({ token }) => ({ status: 200, body: { key: await core.exchange(token) } }),
      'POST /records/done': async ({ token }, fields) => {
        await core.link(token, fields.get('proof'));
        return away('/home');
      },
      'POST /logout': ({ token }) => {
        core.logout(token);
        return away('/login');
      },
      'POST /account/delete': ({ token }) => {
        core.remove(token);
        return away('/goodbye');
      },
    };
  return serve(async ({ method, path, cookies, text }: Asked) => {
    const known = visitors.get(cookies.sid ?? '');
    const visitor = known ?? { csrf: `drawn-${1_000_000 + visitors.size}` };
    const sid = known ? [] : [`sid=anonymous-${visitor.csrf}; Path=/`];
    if (!known) visitors.set(`anonymous-${visitor.csrf}`, visitor);
    const fields = new URLSearchParams(text);
    if (method === 'POST' && fields.get('_csrf') !== visitor.csrf) return { status: 403, body: 'Forbidden' };
    try {
      const reply = await pages[`${method} ${path}`]?.(visitor, fields);
      if (!reply) return { status: 404, body: 'Not found' };
      return sid.length > 0 ? { ...reply, headers: { ...reply.headers, 'set-cookie': sid } } : reply;
    } catch (error) {
      if (!(error instanceof CoreRefusal)) throw error;
      return away(`${path}?error=${error.message}`);
    }
  });
}

const csrfOf = (text: string) => /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Plays a person in a browser. */
export const walkForms: Walk = async ({ browser, url, phone, codeFor, linkAtEhr }) => {
  const submit = async (page: string, path: string, fields: Record<string, string>) => {
    const { text } = await browser.send(`${url}${page}`, { headers: { accept: 'text/html' } });
    const body = new URLSearchParams({ _csrf: csrfOf(text), ...fields }).toString();
    return browser.send(`${url}${path}`, {
      method: 'POST',
      headers: { ...FORM, accept: 'text/html', origin: url },
      body,
    });
  };
  const signIn = async (wrongFirst: boolean) => {
    const since = await codeFor.count(phone);
    await submit('/login', '/login', { phone });
    if (wrongFirst) await submit('/code', '/code', { code: '000111' });
    await submit('/code', '/code', { code: await codeFor.next(phone, since) });
  };
  await signIn(true);
  const { json } = await submit('/home', '/records/key', {});
  const proof = await linkAtEhr(json.key ?? '', {
    user: browser.cookie('member'),
    token: browser.cookie('sid'),
  });
  await submit('/home', '/records/done', { proof });
  await submit('/home', '/logout', {});
  await signIn(false);
  await submit('/home', '/account/delete', {});
};
