/**
 * Defects of an EHR server that takes a session from cookies and headers, and in the bodies of its replies. A
 * key is the check that must find the defects below it. A text `id: title` begins a defect; its change of the
 * right server follows. `playing` names the scenarios to play for a check that judges all messages.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '#protocol/wire/envelope.ts';
import { type Members, membersOf } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { OF_SESSIONS, READ } from '../methods.ts';
import { bodyOf } from './bodies.ts';
import { inRequests, inResponses } from './http-messages.ts';

/** Scenarios in which names beyond ASCII are sent. */
const NAMES = ['names-keep-their-letters'];

/** The value of a cookie of this name. */
const cookie = ({ cookie: all = '' }: IncomingHttpHeaders, name: string) =>
  new RegExp(`(?:^|; )${name}=([^;]*)`).exec(all)?.[1];

/**
 * Carry out calls of these methods with the session whose token a header has.
 * @param isFirst true: the header counts before the cred; otherwise only where the call has no cred
 */
const takesToken = (
  methods: readonly string[],
  tokenIn: (headers: IncomingHttpHeaders) => string | undefined,
  isFirst = false,
): EhrChange => ({
  ...before(methods, ({ call, seen }) => {
    const session = seen.sessions.find(({ token }) => token === call.tokenOfHeader);
    return session && (isFirst || call.cred === undefined) ? { ...call, cred: session } : undefined;
  }),
  ...inRequests(({ headers, body }) => {
    const call = bodyOf(body.toString());
    const tokenOfHeader = tokenIn(headers);
    if (tokenOfHeader === undefined || !isObject(call)) return {};
    return { body: Buffer.from(JSON.stringify({ ...(call as Members), tokenOfHeader })) };
  }),
});

/** Change the bodies of replies that have letters beyond ASCII. */
const inLetters = (change: (body: string) => string): EhrChange =>
  inResponses(({ body }) => (/\P{ASCII}/u.test(body) ? { body: change(body) } : {}));

export const headerDefects = foundBy({
  'cookies-open-nothing': [
    'cookie-reads: get_patient without a cred takes the session of a cookie',
    takesToken([READ], (headers) => cookie(headers, 'token')),
    'cookie-of-its-own: The server sets a cookie with the token, and takes it for a cred',
    setsCookie(),
  ],
  'headers-choose-nobody': [
    'cookie-before-cred: A cookie counts before the cred of the call',
    takesToken([READ], (headers) => cookie(headers, 'sid'), true),
  ],
  'replies-are-whole': [
    'length-in-letters: The length of a reply is counted in letters, and the rest is cut',
    inLetters((body) => Buffer.from(body).subarray(0, body.length).toString()),
    { playing: NAMES },
  ],
});

/** Set a cookie with the token of the newest call, under a name of its own, and take it for a cred. */
function setsCookie(): EhrChange {
  let token = '';
  const takes = takesToken(OF_SESSIONS, (headers) => cookie(headers, 'ehr_own'));
  const learns = inRequests(({ body }) => {
    const { cred } = membersOf(bodyOf(body.toString()));
    if (isObject(cred)) token = String(cred.token);
    return {};
  });
  const sets = inResponses(({ headers }) => ({
    headers: { ...headers, 'set-cookie': `ehr_own=${token}; HttpOnly` },
  }));
  return {
    ...takes,
    http: (listener, channel) =>
      [sets, learns, takes].reduce((inner, { http }) => http?.(inner, channel) ?? inner, listener),
  };
}
