/**
 * Checks of HTTP at an EHR server: the path, the method, the content type, the size and the origin of a
 * request (§4, §9, decisions 1, 2 and 7).
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { check, done, type EhrCheck, ends, http, labelled, nothingWrong, refusedBy } from '../../check.ts';
import { membersOf } from '../../world/answer.ts';
import { readCall } from '../../world/messages.ts';
import { headerIn, replyIn } from '../../world/played.ts';

/** A read without a cred: a server that takes the request refuses it as not_authorized. */
const CALL = readCall({});

/** Larger than any body that this interface needs. */
const HUGE_BYTES = 6 * 1024 * 1024;

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

const OTHER_METHODS = ['GET', 'PUT', 'DELETE'] as const;

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

export const httpChecks: readonly EhrCheck[] = [
  check({
    id: 'path-with-and-without-slash',
    title: 'The endpoint answers with and without the slash at the end of its path',
    requirements: ['D1-path'],
    expect: { 'with slash': refusedBy('not_authorized'), 'without slash': refusedBy('not_authorized') },
    async play(world) {
      const url = withoutSlash(world.parts.publicUrl);
      await world.send('with slash', { ...world.post(CALL), url: `${url}/` });
      await world.send('without slash', { ...world.post(CALL), url });
    },
    advice: 'Serve both spellings of the path; do not redirect a POST.',
  }),
  check({
    id: 'other-version-named',
    title:
      'A call to another version is answered with HTTP 404 and a JSON body that names the version served',
    requirements: ['D1-other-version'],
    expect: { 'another version': http(404) },
    async play(world) {
      const served = new URL(world.parts.publicUrl).pathname.split('/').filter(Boolean).at(-1) ?? '';
      world.needs(served !== '', 'the endpoint has no version segment');
      const url = withoutSlash(world.parts.publicUrl).replace(/[^/]+$/, '0.0-none/');
      const { answer } = await world.send('another version', { ...world.post(CALL), url });
      world.observe('another version', { names: answer.kind === 'answer' && answer.text.includes(served) });
    },
    judge: nothingWrong(
      'a JSON body that names the version served',
      ['another version'],
      (_played, { observed }) => observed('another version')?.names !== true && 'a body without it',
    ),
    advice: 'Answer 404 with a JSON body such as {"error":{"reason":"wrong_version","served":"1.0-alpha"}}.',
  }),
  check({
    id: 'other-path-refused',
    title: 'A request to any other path is answered with HTTP 404',
    requirements: ['D2-wrong-path-404'],
    expect: { 'below the endpoint': http(404), 'beside the endpoint': http(404) },
    async play(world) {
      const { publicUrl } = world.parts;
      const beside = new URL('/no-such-path', publicUrl).href;
      await world.send('below the endpoint', { ...world.post(CALL), url: `${withoutSlash(publicUrl)}/more` });
      await world.send('beside the endpoint', { ...world.post(CALL), url: beside });
    },
    advice: 'Answer 404 with a JSON body.',
  }),
  check({
    id: 'only-post',
    title: 'A request to the endpoint that is not a POST is answered with HTTP 405 and an Allow header',
    requirements: ['D2-not-post-405'],
    expect: labelled(OTHER_METHODS, http(405)),
    async play(world) {
      const request = { ...world.post(CALL), body: undefined };
      for (const method of OTHER_METHODS) await world.send(method, { ...request, method });
    },
    judge: nothingWrong(
      'an Allow header',
      OTHER_METHODS,
      ({ exchanges }) => headerIn(exchanges[0]?.response, 'allow') === null && 'none',
    ),
    advice: 'Answer 405 with Allow: POST, OPTIONS.',
  }),
  check({
    id: 'only-json',
    title: 'A body whose content type is not application/json is answered with HTTP 415',
    requirements: ['D2-not-json-415'],
    expect: {
      'text/plain': http(415),
      'text/plain that names JSON': http(415),
      'a form': http(415),
      'application/json': refusedBy('not_authorized'),
    },
    async play(world) {
      const typed = (type: string) => world.post(CALL, { 'content-type': type });
      await world.send('text/plain', typed('text/plain'));
      await world.send('text/plain that names JSON', typed('text/plain; application/json'));
      await world.send('a form', typed('application/x-www-form-urlencoded'));
      await world.send('application/json', typed('application/json'));
    },
    advice: 'Take application/json with any parameters, and nothing else.',
  }),
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
    id: 'size-limited',
    title: 'A body above the size limit is answered with HTTP 413, and the server goes on',
    requirements: ['D2-too-large-413'],
    control: ['read before'],
    expect: { 'six megabytes': http(413, { orClosed: true }), 'read after': done },
    async play(world) {
      const { session } = await world.linked();
      await world.getPatient('read before', session);
      const huge = world.post(readCall({ params: { filler: 'a'.repeat(HUGE_BYTES) } }));
      await world.send('six megabytes', huge, { isBig: true });
      await world.getPatient('read after', session);
    },
    advice: 'Limit the body (a megabyte is plenty), and refuse before it is read whole.',
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
