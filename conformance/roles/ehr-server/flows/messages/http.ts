/** Checks of HTTP at an EHR server: content type, origin, and that no cookie or header stands for a cred. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { type EhrFlow, flow } from '../../flow.ts';
import { type Cred, headerIn, readCall, replyIn, valuesOf } from '../../world/messages.ts';

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

const JSON_TYPES = ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/Json'];

function faultOfOrigin({ of, observed }: Steps): Judgement {
  const wanted = observed('preflight')?.origin;
  for (const label of ['preflight', 'the call itself']) {
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
}

const NAMES = ['token', 'session', 'sessionid', 'sid', 'auth', 'access_token', 'JSESSIONID', 'connect.sid'];

const cookieOf = ({ user, token }: Cred, own = '') =>
  [...NAMES.map((name) => `${name}=${token}`), `user=${user}`, own].filter(Boolean).join('; ');

const headersOf = ({ user, token }: Cred) => [
  { cookie: cookieOf({ user, token }) },
  { authorization: `Bearer ${token}` },
  { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` },
];

const cookiesIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

const OWN_READ = "read with the headers of another's session";

export const httpFlows: readonly EhrFlow[] = [
  flow('json-types-taken', {
    title: 'A call whose type is application/json in another spelling, such as with a charset, is served',
    requirements: ['K-json-type-taken'],
    advice: 'Compare the type without its parameters, and without regard to capitals.',
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.control(world.getPatient('read before', session));
      // A server may end a session when another of the user begins: the newest one is read.
      let newest = session;
      for (const type of JSON_TYPES) {
        const headers = { 'content-type': type };
        await world.succeeds(world.getPatient(`read as ${type}`, newest, { headers }));
        const next = world.session(session.user);
        const save = world.saveAuthInfo(`save as ${type}`, next, userSign, { headers });
        if ((await world.succeeds(save)).result.kind === 'done') newest = next;
      }
    },
  }),
  flow('origin-allowed', {
    title: 'A page of a configured origin may call with credentials, and that very origin is named',
    requirements: ['D7-credentials'],
    judge: faultOfOrigin,
    advice: 'Name the very origin of the page, never *, and allow credentials: browsers send them.',
    async play(world) {
      const { origin = '' } = world.settings;
      world.needs(origin !== '', 'the file names no origin');
      const headers = { origin, 'access-control-request-method': 'POST' };
      await world.send('preflight', { ...world.post('', headers), method: 'OPTIONS', body: undefined })();
      await world.send('the call itself', world.post(CALL, { origin }))();
      world.observe('preflight', { origin });
    },
  }),
  flow('other-origin-refused', {
    title: 'A page of another origin may not call',
    requirements: ['K-origins-listed'],
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
    async play(world) {
      // How the call itself ends is left to the server: the header tells a browser.
      for (const origin of foreignOrigins(world.settings.origin))
        await world.send('a foreign page', world.post(CALL, { origin }))();
    },
  }),
  flow('cookies-open-nothing', {
    title: 'Without a cred no cookie reads the record or ends a session',
    requirements: ['K-cookies-open-nothing'],
    advice: 'Take user and token from the cred of the call: a browser sends cookies for any page that asks.',
    async play(world) {
      const [{ session }, other] = [await world.linked(), await world.linked()];
      const { answer } = await world.control(world.getPatient('read with the cred', session));
      const own = answer.kind === 'answer' ? cookiesIn(answer.headers) : '';
      await world.control(world.getPatient('read as the other', other.session));
      for (const headers of headersOf(other.session))
        await world.succeeds(world.getPatient(OWN_READ, session, { headers }), 'headers-choose-nobody');
      const bare = { cred: undefined, headers: { cookie: cookieOf(session, own) }, mistake: 'by a cookie' };
      for (const step of [
        world.getPatient('read without cred, by a cookie', session, bare),
        world.removeAuthInfo('log out without cred, by a cookie', session, bare),
        world.removeAuthentication('disconnect without cred, by a cookie', session, bare),
      ])
        await world.refuses(step, 'not_authorized', 'cookies-open-nothing');
      await world.control(world.getPatient('read at last', session));
    },
    checks: {
      'headers-choose-nobody': {
        title: "A cookie or an Authorization header of another's session changes nothing of a read",
        requirements: ['4.4-record-and-sign'],
        judge({ of, all }) {
          const own = valuesOf(of('read with the cred')).patient;
          if (own === undefined || own === valuesOf(of('read as the other')).patient)
            return { notApplicable: 'the record has no id by which patients are told apart' };
          const wrong = all(OWN_READ).find((read) => valuesOf(read).patient !== own);
          return wrong && { expected: own, actual: `${valuesOf(wrong).patient}`, shownBy: [wrong] };
        },
        advice: 'Take the session from the cred alone, also where a cookie or a header names another one.',
      },
    },
  }),
];
