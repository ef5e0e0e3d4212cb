/**
 * Lists harmless variants of the plain shapes, which are authorization servers of another make than the mock.
 * They use the freedom of the interface, and no check may report them.
 * A text `id: title` begins a variant; its settings follow.
 */
import { type List, variantsOf } from '../../../../engine/defects/rows.mjs';
import type { Answer } from '../../shapes/shape.ts';
import { type Harmless, harmlessOf, type PlainShape } from '../defect.ts';

type Settings = NonNullable<Harmless['settings']>;

/** Settings that change each answer to a client. */
const answering = (answer: NonNullable<Settings['answer']>): Settings => ({ answer });

/** Makes a token like a JSON Web Token: header, claims and signature; only the signature is random. */
function jwtLike(drawn: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'HS256', typ: 'JWT' }), part({ iss: 'auth', scope: 'ehr' }), drawn].join('.');
}

/** Makes a number of at least 15 digits from the random text. */
function numberOf(drawn: string): string {
  return String(Buffer.from(drawn, 'base64url').readUIntBE(0, 6)).padStart(15, '1');
}

/** Replaces the words of a refusal at any depth of its body; `member` is the member that has the words. */
function reworded(answer: Answer, member: 'problem' | 'message'): Answer {
  const change = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === member && typeof inner === 'string' ? `Fehler ${inner.length}` : change(inner),
      ]),
    );
  };
  return { ...answer, body: change(answer.body) };
}

/** Adds headers and members to an answer. */
const withMore = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'x-request-id': 'r-1', server: 'example/1.0' },
  body:
    typeof answer.body === 'object' && answer.body !== null
      ? { server: 'example', ...answer.body, links: [{ rel: 'help', href: 'https://help.example' }] }
      : answer.body,
});

/** The id of a sign-in attempt: as long as a session token, but no session. */
export const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';

/** Adds the id of the attempt to a body, at a place where a session could stand. */
const withAttempt = (body: unknown) => ({ ...(body as object), access: { bearer: ATTEMPT_ID } });

/** The delay (ms) of each answer: slow, and well within any timeout. */
const ANSWER_DELAY_MS = 200;

/** Variants that both plain shapes have. */
const onBoth: List<Settings> = [
  'slow-answers: Every answer takes 200 ms',
  { answerAfterMs: ANSWER_DELAY_MS },
  'more-in-answers: Answers have members and headers of their own',
  answering(withMore),
  'pretty-answers: Answers are pretty-printed and end with a line end',
  { print: (body) => `${JSON.stringify(body, null, 2)}\n` },
  'escaped-answers: Answers escape letters',
  { print: (body) => JSON.stringify(body).replaceAll('token', '\\u0074oken') },
  'charset-named: Answers name their charset',
  answering((answer) => ({
    ...answer,
    headers: {
      ...answer.headers,
      ...(answer.body !== undefined && { 'content-type': 'application/json; charset=UTF-8' }),
    },
  })),
  'jwt-tokens: Tokens look like JSON Web Tokens',
  { token: jwtLike },
  'numeric-users: Users are numbers',
  { user: numberOf },
  'short-session: Sessions live two hours',
  { sessionMinutes: 120 },
  'long-session: Sessions live a year',
  { sessionMinutes: 525_600 },
  'longer-tokens: Tokens have 86 characters',
  { token: (drawn) => `${drawn}${drawn}` },
];

const onChallenge: List<Settings> = [
  'other-error-texts: Refusals have other words',
  answering((answer) => reworded(answer, 'problem')),
  'attempt-in-refusals: The refusal of a code sets a cookie and has the id of this attempt, which is no session yet',
  answering(({ status, headers, body }) =>
    status === 401
      ? { status, headers: { ...headers, 'set-cookie': `before=${ATTEMPT_ID}` }, body: withAttempt(body) }
      : { status, headers, body },
  ),
  'other-refusal-statuses: Every refusal is HTTP 400',
  answering((answer) => (answer.status >= 400 && answer.status < 500 ? { ...answer, status: 400 } : answer)),
  'created-answers: Every success with a body is HTTP 201',
  answering((answer) =>
    answer.status < 300 && answer.body !== undefined ? { ...answer, status: 201 } : answer,
  ),
  'session-in-cookie: The session token comes in a cookie as well, which no script can read',
  answering(({ status, headers, body }) => {
    const { token } = (body as { ehr?: { token?: string } } | undefined)?.ehr ?? {};
    const cookie = `session=${token}; Path=/; Secure; HttpOnly; SameSite=Strict`;
    return { status, headers: token ? { ...headers, 'set-cookie': cookie } : headers, body };
  }),
  'empty-object-answers: A success without a body is HTTP 200 with an empty object',
  answering((answer) =>
    answer.status === 204
      ? { status: 200, headers: { ...answer.headers, 'content-type': 'application/json' }, body: {} }
      : answer,
  ),
];

const onCarriedSign: List<Settings> = [
  'other-error-texts: Errors have other words',
  answering((answer) => reworded(answer, 'message')),
  'errors-with-status: Errors of a call are HTTP 400',
  answering((answer) =>
    typeof answer.body === 'object' && answer.body !== null && 'error' in answer.body && answer.status === 200
      ? { ...answer, status: 400 }
      : answer,
  ),
];

/** Makes the variants of one shape, whose name begins their ids. */
const of = (shape: PlainShape, list: List<Settings>) =>
  variantsOf(list, (settings) => ({ settings })).map(
    ({ id, ...row }): Harmless => ({ ...row, id: `${shape}-${id}`, shape }),
  );

export const harmlessOnShapes: readonly Harmless[] = [
  ...of('challenge', [...onBoth, ...onChallenge]),
  ...of('carried-sign', [...onBoth, ...onCarriedSign]),
  ...harmlessOf([
    'challenge-answers-after-half-a-second: Every answer takes half a second, whatever the SMS gateway does',
    { shape: 'challenge', settings: { answerAfterMs: 500 }, notPlayable: ['messages-capped'] },
    'carried-sign-pause-kept-after-gateway-failure: The pause goes on after a message that was not sent',
    { shape: 'carried-sign', faults: ['pause-kept-after-gateway-failure'] },
    'challenge-named-user-ignored: A user who is named beside the bearer is for information alone',
    { shape: 'challenge', file: { namesUser: ['exchangeToken'] } },
  ]),
];
