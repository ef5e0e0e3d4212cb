/**
 * Checks of HTTP at an EHR server: the path, the method, the content type, the size and the origin of a
 * request (§4, §9, decisions 1, 2 and 7).
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { check, done, type EhrCheck, ends, labelled } from '../../check.ts';
import { membersOf } from '../../world/answer.ts';
import { readCall } from '../../world/messages.ts';
import { headerIn, replyIn } from '../../world/played.ts';

/** A read without a cred: a server that takes the request refuses it as not_authorized. */
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

/** Spellings of the type by which libraries of clients and servers send JSON. */
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
