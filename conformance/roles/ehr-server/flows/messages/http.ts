/** Checks of HTTP at an EHR server: content type, origin, and that no cookie or header stands for a cred. */
import { isObject } from '#protocol/wire/envelope.ts';
import { check, checkOf, done, type EhrCheck, ends, labelled, refused } from '../../check.ts';
import { type Cred, headerIn, membersOf, readCall, replyIn, valuesOf } from '../../world/messages.ts';

const CALL = readCall({});

/** Origins that the server must not allow. Most resemble `own`, the origin that it allows. */
function foreignOrigins(own = 'http://localhost'): string[] {
  const { protocol, host, hostname } = new URL(own);
  const otherProtocol = protocol === 'https:' ? 'http:' : 'https:';
  return [
    'https://foreign.example',
    'null',
    `${own}.foreign.example`,
    `${protocol}//foreign-${host}`,
    `${protocol}//${hostname}:1`,
    `${otherProtocol}//${host}`,
  ];
}

const JSON_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/Json',
] as const;
const readAs = (type: (typeof JSON_TYPES)[number]) => `read as ${type}` as const;
const savedAs = (type: (typeof JSON_TYPES)[number]) => `save as ${type}` as const;

export const httpChecks: readonly EhrCheck[] = [
  check({
    id: 'json-types-taken',
    title: 'A call whose type is application/json in another spelling, such as with a charset, is served',
    requirements: ['K-json-type-taken'],
    control: ['read before'],
    expect: labelled(
      JSON_TYPES.flatMap((type) => [readAs(type), savedAs(type)]),
      done,
    ),
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.getPatient('read before', session);
      // A server may end a session when another of the user begins: the newest one is read.
      let newest = session;
      for (const type of JSON_TYPES) {
        const headers = { 'content-type': type };
        await world.getPatient(readAs(type), newest, { headers });
        const next = world.session(session.user);
        const { result } = await world.saveAuthInfo(savedAs(type), next, userSign, { headers });
        if (result.kind === 'done') newest = next;
      }
    },
    advice: 'Compare the type without its parameters, and without regard to capitals.',
  }),
  check({
    id: 'origin-allowed',
    title: 'A page of a configured origin may call with credentials, and that very origin is named',
    requirements: ['D7-credentials'],
    expect: { preflight: ends, 'the call itself': ends },
    async play(world) {
      const { origin = '' } = world.settings;
      world.needs(origin !== '', 'the file names no origin');
      const headers = { origin, 'access-control-request-method': 'POST' };
      await world.send('preflight', { ...world.post('', headers), method: 'OPTIONS', body: undefined });
      await world.send('the call itself', world.post(CALL, { origin }));
      world.observe('preflight', { origin });
    },
    judge({ of, observed }) {
      const wanted = observed('preflight')?.origin;
      for (const label of ['preflight', 'the call itself'] as const) {
        const { response } = of(label).exchanges[0] ?? {};
        // A JSON-RPC reply of another status is judged elsewhere: here the headers count.
        const isReply = isObject(membersOf(replyIn(of(label))).error);
        if ((response?.status ?? 500) >= 300 && !isReply)
          return { expected: 'a page may call', actual: `HTTP ${response?.status}`, shownBy: [of(label)] };
        const allowed = headerIn(response, 'access-control-allow-origin');
        if (allowed === wanted && headerIn(response, 'access-control-allow-credentials') === 'true') continue;
        return {
          expected: `Access-Control-Allow-Origin: ${wanted}, with credentials`,
          actual: allowed ?? 'no such header',
          shownBy: [of(label)],
        };
      }
      return undefined;
    },
    advice: 'Name the very origin of the page, never *, and allow credentials: browsers send them.',
  }),
  check({
    id: 'other-origin-refused',
    title: 'A page of another origin may not call',
    requirements: ['K-origins-listed'],
    // How the call itself ends is left to the server: the header tells a browser.
    expect: { 'a foreign page': ends },
    async play(world) {
      for (const origin of foreignOrigins(world.settings.origin))
        await world.send('a foreign page', world.post(CALL, { origin }));
    },
    judge({ all }) {
      for (const played of all('a foreign page')) {
        const allowed = headerIn(played.exchanges[0]?.response, 'access-control-allow-origin');
        const sent = headerIn(played.exchanges[0]?.request, 'origin');
        if (allowed === '*' || (allowed !== null && allowed === sent))
          return { expected: 'no Access-Control-Allow-Origin', actual: allowed, shownBy: [played] };
      }
      return undefined;
    },
    advice: 'Send no CORS header to an origin that is not configured.',
  }),
];

const NAMES = ['token', 'session', 'sessionid', 'sid', 'auth', 'access_token', 'JSESSIONID', 'connect.sid'];

const cookieOf = ({ user, token }: Cred, own = '') =>
  [...NAMES.map((name) => `${name}=${token}`), `user=${user}`, own].filter(Boolean).join('; ');

const headersOf = ({ user, token }: Cred) => [
  { cookie: cookieOf({ user, token }) },
  { authorization: `Bearer ${token}` },
  { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` },
];

const BY_COOKIE = {
  read: 'read without cred, by a cookie',
  logOut: 'log out without cred, by a cookie',
  disconnect: 'disconnect without cred, by a cookie',
} as const;
const OWN_READ = "read with the headers of another's session" as const;

const cookiesIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const cookies = check({
  id: 'cookies-open-nothing',
  title: 'Without a cred no cookie reads the record or ends a session',
  requirements: ['K-cookies-open-nothing'],
  control: ['read with the cred', 'read at last'],
  expect: labelled(Object.values(BY_COOKIE), refused('not_authorized')),
  further: [OWN_READ, 'read as the other'],
  async play(world) {
    const [{ session }, other] = [await world.linked(), await world.linked()];
    const { answer } = await world.getPatient('read with the cred', session);
    const own = answer.kind === 'answer' ? cookiesIn(answer.headers) : '';
    await world.getPatient('read as the other', other.session);
    for (const headers of headersOf(other.session)) await world.getPatient(OWN_READ, session, { headers });
    const bare = { cred: undefined, headers: { cookie: cookieOf(session, own) }, mistake: 'by a cookie' };
    await world.getPatient(BY_COOKIE.read, session, bare);
    await world.removeAuthInfo(BY_COOKIE.logOut, session, bare);
    await world.removeAuthentication(BY_COOKIE.disconnect, session, bare);
    await world.getPatient('read at last', session);
  },
  advice: 'Take user and token from the cred of the call: a browser sends cookies for any page that asks.',
});

export const headerChecks: readonly EhrCheck[] = [
  cookies,
  checkOf(cookies, {
    id: 'headers-choose-nobody',
    title: "A cookie or an Authorization header of another's session changes nothing of a read",
    requirements: ['4.4-record-and-sign'],
    control: ['read with the cred', 'read as the other'],
    expect: { [OWN_READ]: done },
    judge({ of, all }) {
      const own = valuesOf(of('read with the cred')).patient;
      if (own === undefined || own === valuesOf(of('read as the other')).patient)
        return { notApplicable: 'the record has no id by which patients are told apart' };
      const wrong = all(OWN_READ).find((read) => valuesOf(read).patient !== own);
      return wrong && { expected: own, actual: `${valuesOf(wrong).patient}`, shownBy: [wrong] };
    },
    advice: 'Take the session from the cred alone, also where a cookie or a header names another one.',
  }),
];
