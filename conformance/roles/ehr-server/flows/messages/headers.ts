/**
 * Checks that an EHR server takes a session from the cred of the call alone: no cookie and no Authorization
 * header opens or ends anything.
 */
import { check, checkOf, done, type EhrCheck, labelled, refused } from '../../check.ts';
import type { Cred } from '../../world/messages.ts';
import { valuesOf } from '../../world/played.ts';

/** Names of cookies in which servers keep a session. */
const NAMES = ['token', 'session', 'sessionid', 'sid', 'auth', 'access_token', 'JSESSIONID', 'connect.sid'];

const cookieOf = ({ user, token }: Cred, own = '') =>
  [...NAMES.map((name) => `${name}=${token}`), `user=${user}`, own].filter(Boolean).join('; ');

/** Headers that name a session; `own` are the cookies that the server itself has set. */
const HEADERS = {
  'a cookie': (cred: Cred, own: string) => ({ cookie: cookieOf(cred, own) }),
  Bearer: ({ token }: Cred) => ({ authorization: `Bearer ${token}` }),
  Basic: ({ user, token }: Cred) => ({
    authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
  }),
} as const;
const KINDS = Object.keys(HEADERS) as (keyof typeof HEADERS)[];

const readBy = (kind: string) => `read without cred, by ${kind}`;
const removalsBy = (kind: string) => [
  `log out without cred, by ${kind}`,
  `disconnect without cred, by ${kind}`,
];
const OWN_READ = "read with the headers of another's session";

/** The cookies that an answer sets, as a client sends them back. */
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
  expect: labelled<string>([readBy('a cookie'), ...removalsBy('a cookie')], refused('not_authorized')),
  further: [...KINDS.flatMap((kind) => [readBy(kind), ...removalsBy(kind)]), OWN_READ, 'read as the other'],
  async play(world) {
    const [{ session }, other] = [await world.linked(), await world.linked()];
    const { answer } = await world.getPatient('read with the cred', session);
    const own = answer.kind === 'answer' ? cookiesIn(answer.headers) : '';
    await world.getPatient('read as the other', other.session);
    for (const kind of KINDS)
      await world.getPatient(OWN_READ, session, { headers: HEADERS[kind](other.session, '') });
    for (const kind of KINDS) {
      const bare = { cred: undefined, headers: HEADERS[kind](session, own), mistake: `by ${kind}` };
      const [logOut = '', disconnect = ''] = removalsBy(kind);
      await world.getPatient(readBy(kind), session, bare);
      await world.removeAuthInfo(logOut, session, bare);
      await world.removeAuthentication(disconnect, session, bare);
    }
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
    expect: { [OWN_READ]: done } as Readonly<Record<string, typeof done>>,
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
