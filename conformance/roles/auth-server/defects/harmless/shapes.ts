/** Right servers that use the freedom of the interface: none may change a verdict. */
import type { Answer } from '../../shapes/shape.ts';
import type { Harmless } from '../defect.ts';

type Settings = NonNullable<Harmless['settings']>;
type PlainShape = 'challenge' | 'carried-sign';

const answering = (answer: NonNullable<Settings['answer']>): Settings => ({ answer });

/** A token in the format of many libraries: header, claims and signature; only the signature is random. */
function jwtLike(drawn: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [part({ alg: 'HS256', typ: 'JWT' }), part({ iss: 'auth', scope: 'ehr' }), drawn].join('.');
}

/** A number made from the random text, with as many digits. */
function numberOf(drawn: string): string {
  return String(Buffer.from(drawn, 'base64url').readUIntBE(0, 6)).padStart(15, '1');
}

/** Changes the words of a refusal, wherever they are. */
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

const withMore = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'x-request-id': 'r-1', server: 'example/1.0' },
  body:
    typeof answer.body === 'object' && answer.body !== null
      ? { server: 'example', ...answer.body, links: [{ rel: 'help', href: 'https://help.example' }] }
      : answer.body,
});

/** As long as a token, and no session. */
export const ATTEMPT_ID = '5b0c9d1e-7f3a-4c68-9a2d-e41b7c60d385';

const withAttempt = (body: unknown) => ({ ...(body as object), access: { bearer: ATTEMPT_ID } });

/** The delay (ms) of each answer: slow, and well within any timeout. */
const ANSWER_DELAY_MS = 200;

const onBoth: readonly (Pick<Harmless, 'id' | 'title'> & { settings: Settings })[] = [
  { id: 'slow-answers', title: 'Every answer takes 200 ms', settings: { answerAfterMs: ANSWER_DELAY_MS } },
  {
    id: 'more-in-answers',
    title: 'Answers have members and headers of their own',
    settings: answering(withMore),
  },
  {
    id: 'pretty-answers',
    title: 'Answers are pretty-printed and end with a line end',
    settings: { print: (body) => `${JSON.stringify(body, null, 2)}\n` },
  },
  {
    id: 'escaped-answers',
    title: 'Answers escape letters',
    settings: { print: (body) => JSON.stringify(body).replaceAll('token', '\\u0074oken') },
  },
  {
    id: 'charset-named',
    title: 'Answers name their charset',
    settings: answering((answer) => ({
      ...answer,
      headers: {
        ...answer.headers,
        ...(answer.body !== undefined && { 'content-type': 'application/json; charset=UTF-8' }),
      },
    })),
  },
  { id: 'jwt-tokens', title: 'Tokens look like JSON Web Tokens', settings: { token: jwtLike } },
  { id: 'numeric-users', title: 'Users are numbers', settings: { user: numberOf } },
  { id: 'short-session', title: 'Sessions live two hours', settings: { sessionMinutes: 120 } },
  { id: 'long-session', title: 'Sessions live a year', settings: { sessionMinutes: 525_600 } },
  {
    id: 'longer-tokens',
    title: 'Tokens have 86 characters',
    settings: { token: (drawn) => `${drawn}${drawn}` },
  },
];

const onChallenge: readonly (Pick<Harmless, 'id' | 'title'> & { settings: Settings })[] = [
  {
    id: 'other-error-texts',
    title: 'Refusals have other words',
    settings: answering((answer) => reworded(answer, 'problem')),
  },
  {
    id: 'attempt-in-refusals',
    title: 'The refusal of a code sets a cookie and has the id of this attempt, which is no session yet',
    settings: answering(({ status, headers, body }) =>
      status === 401
        ? { status, headers: { ...headers, 'set-cookie': `before=${ATTEMPT_ID}` }, body: withAttempt(body) }
        : { status, headers, body },
    ),
  },
  {
    id: 'other-refusal-statuses',
    title: 'Every refusal is HTTP 400',
    settings: answering((answer) =>
      answer.status >= 400 && answer.status < 500 ? { ...answer, status: 400 } : answer,
    ),
  },
  {
    id: 'created-answers',
    title: 'Every success with a body is HTTP 201',
    settings: answering((answer) =>
      answer.status < 300 && answer.body !== undefined ? { ...answer, status: 201 } : answer,
    ),
  },
  {
    id: 'empty-object-answers',
    title: 'A success without a body is HTTP 200 with an empty object',
    settings: answering((answer) =>
      answer.status === 204
        ? { status: 200, headers: { ...answer.headers, 'content-type': 'application/json' }, body: {} }
        : answer,
    ),
  },
];

const onCarriedSign: readonly (Pick<Harmless, 'id' | 'title'> & { settings: Settings })[] = [
  {
    id: 'other-error-texts',
    title: 'Errors have other words',
    settings: answering((answer) => reworded(answer, 'message')),
  },
  {
    id: 'errors-with-status',
    title: 'Errors of a call are HTTP 400',
    settings: answering((answer) =>
      typeof answer.body === 'object' &&
      answer.body !== null &&
      'error' in answer.body &&
      answer.status === 200
        ? { ...answer, status: 400 }
        : answer,
    ),
  },
];

const of = (shape: PlainShape, rows: readonly (Pick<Harmless, 'id' | 'title'> & { settings: Settings })[]) =>
  rows.map(({ id, ...row }): Harmless => ({ ...row, id: `${shape}-${id}`, shape }));

export const harmlessOnShapes: readonly Harmless[] = [
  ...of('challenge', [...onBoth, ...onChallenge]),
  ...of('carried-sign', [...onBoth, ...onCarriedSign]),
  {
    id: 'challenge-named-user-ignored',
    title: 'A user who is named beside the bearer is for information alone',
    shape: 'challenge',
    file: { namesUser: ['exchangeToken'] },
  },
];
