/** Harmless variants of the EHR server: other texts, settings and policies. No check may fail for them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { ANY, done, refused } from '../../../engine/defects/operators.ts';
import {
  isDone,
  type Members,
  membersOf,
  no,
  withCred,
  withParams,
  yes,
} from '../../../engine/defects/rpc-call.ts';
import { type EhrChange, PEOPLE } from '../self-test/serve.ts';
import { jsonIn } from '../world/messages.ts';
import {
  AUTHENTICATE,
  acceptsRefused,
  after,
  aMoment,
  around,
  before,
  both,
  type EhrTurn,
  harmless,
  inRecords,
  inResults,
  internalCred,
  pendingOf,
  propertiesIn,
  READ,
  RECORDS,
  refuses,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  SAVES,
  signs,
  withRules,
} from './changes.ts';
import { answersBodies, errorText, inErrors, inResponses } from './message-changes.ts';
import { endsFurther } from './sessions.ts';

const clears = around(
  ({ call }) => call.method !== READ,
  async ({ seen, next }) => {
    const clear = () => {
      seen.forget('cache');
      seen.countUp('changes');
    };
    clear();
    const reply = await next();
    clear();
    return reply;
  },
);

/** Answer a read from a cache until anything changes, also during the read, or the clock moves. */
const caches = around(READ, async ({ call, parts, seen, next }) => {
  const now = parts.clock.now();
  const key = JSON.stringify([call.cred, call.params, now]);
  const known = seen.notes<unknown>('cache');
  if (known.has(key)) return { result: known.get(key) };
  const changes = seen.notes('changes').get('');
  const reply = await next();
  if (isDone(reply) && seen.notes('changes').get('') === changes) known.set(key, reply?.result);
  return reply;
});

const withoutCards = {
  ...PEOPLE,
  matching: PEOPLE.matching.map(({ name, surname, date, phone }) => ({ name, surname, date, phone })),
};

function requestsInTurn(): EhrChange {
  let last: Promise<unknown> = Promise.resolve();
  return {
    http: (listener) => (request, response) => {
      const answered = new Promise((resolve) => response.once('close', resolve));
      last = last.then(() => {
        listener(request, response);
        return answered;
      });
    },
  };
}

const RELATIVE = { name: 'Anna', surname: 'Petrova', birthdate: '1985-04-12', phone: '79990000001' };

const digitsOf = (id: string) => String(2n ** 60n + BigInt(`0x${bytesToHex(hashToken(id)).slice(0, 12)}`));

const MAX_TOKEN_LENGTH = 64;

const othersOf = ({ seen }: EhrTurn, user: unknown, own: unknown) =>
  seen.tokensOf(user).filter((token) => token !== own);

const oneSession = both(
  endsFurther(SAVE, (turn) => othersOf(turn, turn.authInfo.user, turn.authInfo.token)),
  endsFurther(AUTHENTICATE, (turn) => {
    const pending = pendingOf(turn);
    return pending ? othersOf(turn, pending.user, pending.token) : [];
  }),
);

const KNOWN = ['authInfo', 'exchangeToken', 'patientProperties', 'searchStrategy', 'medCardId'];
const KNOWN_OF_SESSION = ['user', 'token', 'ttl', 'created'];
const hasOthers = (members: Members, known: readonly string[]) =>
  Object.keys(members).some((name) => !known.includes(name));

/** The signatures of a user's link, oldest first. The right server knows the first alone. */
const signsOf = ({ seen }: EhrTurn, user: unknown) =>
  seen.notes<string[]>('signatures').get(String(user)) ?? [];

const tellsNewest = ({ result }: { result: Members }, signatures: readonly string[]) =>
  yes({ ...result, user_sign: signatures.at(-1), userSign: signatures.at(-1) });

const renewsSignature = both(
  after(done(AUTHENTICATE), (turn) => {
    const user = String(pendingOf(turn)?.user);
    const first = String(turn.result.user_sign);
    const former = signsOf(turn, user);
    const signatures = former[0] === first ? [...former, randomToken(turn.parts.random)] : [first];
    turn.seen.notes<string[]>('signatures').set(user, signatures);
    return tellsNewest(turn, signatures);
  }),
  after(done(READ), (turn) => tellsNewest(turn, signsOf(turn, turn.cred.user))),
  before(SAVE, (turn) => {
    const [first, ...others] = signsOf(turn, turn.authInfo.user);
    const tokenOf = (signature: string) => internalCred(turn.parts, signature).token;
    const isRenewed = others.some((signature) => tokenOf(signature) === turn.cred.token);
    return isRenewed && withCred(turn.call, { token: tokenOf(String(first)) });
  }),
);

export const ehrHarmless = [
  harmless('batches-refused', {
    title: 'A batch is answered by one error: single calls alone are served',
    ...answersBodies((text) =>
      Array.isArray(jsonIn(text)) ? errorText(-32600, 'Invalid Request') : undefined,
    ),
    notPlayable: ['calls-of-batch-apart', 'saves-of-batch-apart'],
  }),
  harmless('requests-in-turn', {
    title: 'A request is read after the one before it has been answered',
    ...requestsInTurn(),
  }),
  harmless('reads-cached', { title: 'Reads are cached until anything changes', ...both(caches, clears) }),
  harmless('reads-answered-late', {
    title: 'A read gets its data a moment after it was looked up, whatever happened meanwhile',
    ...around(READ, async ({ parts, next }) => {
      const reply = await next();
      await aMoment(parts);
      return reply;
    }),
  }),
  harmless('cookie-of-a-balancer', {
    title: 'Each reply sets a cookie that says nothing about a session',
    ...inResponses(({ headers }) => ({ headers: { ...headers, 'set-cookie': 'node=2; Path=/' } })),
  }),
  harmless('authenticate-answers-nothing', {
    title: 'The reply of authenticate is empty, and the signature comes with the record',
    ...after(done(AUTHENTICATE), () => yes({})),
  }),
  harmless('one-endpoint', {
    title: 'One endpoint serves both channels',
    pipeline: (pipeline) => (text, _channel) => pipeline(text, 'any'),
    settings: { internalUrl: undefined },
    notPlayable: ['internal-methods-not-public', 'internal-methods-not-disguised'],
  }),
  harmless('ttl-in-seconds', {
    title: 'The ttl is counted in seconds, and the file says so',
    ...withRules({ ttlUnit: 'seconds' }),
    settings: { ttlUnit: 'seconds' },
    notPlayable: ['ttl-in-minutes'],
  }),
  harmless('ids-echoed', { title: 'Ids come back as they were sent', ...withRules({ replyId: 'echo' }) }),
  harmless('no-search-by-card', {
    title: 'Patients are not searched by medical card, and the file names no card',
    ...withRules({ medcard: false }),
    settings: { people: withoutCards },
    notPlayable: ['medcard-strategy', 'like-cards-match-nobody'],
  }),
  harmless('all-properties-beside-card', {
    title: 'A search by medical card needs all other properties, too',
    ...refuses(
      AUTHENTICATE,
      'invalid_params',
      (turn) => propertiesIn(turn).searchStrategy === 'MEDCARD' && !propertiesIn(turn).name,
    ),
    told: ['medcard-strategy'],
  }),
  harmless('card-ignored', {
    title: 'The strategy and the medical card of a search are ignored',
    ...before(AUTHENTICATE, ({ call }) =>
      withParams(call, { searchStrategy: undefined, medCardId: undefined }),
    ),
    told: ['medcard-strategy'],
  }),
  harmless('people-of-the-least', {
    title: 'The file names neither an ambiguous nor an inactive patient, and no origin',
    settings: { people: { matching: PEOPLE.matching }, origin: undefined },
    notPlayable: ['ambiguous-not-matched', 'inactive-not-matched', 'origin-allowed'],
  }),
  harmless('exchange-token-of-one-length', {
    title: 'An exchange token of another length is refused for its shape',
    ...refuses(
      ANY,
      'invalid_params',
      ({ params: { exchangeToken: token } }) =>
        typeof token === 'string' && /^[\w-]+$/.test(token) && token.length !== 43,
    ),
    notPlayable: ['long-exchange-tokens-kept-apart'],
  }),
  harmless('other-texts', {
    title: 'Errors have messages in another language',
    ...inErrors((error) => ({ ...error, message: 'Das geht nicht.' })),
  }),
  harmless('more-in-records', {
    title: 'Records have members of their own',
    ...inRecords((record) => ({ ...record, bloodGroup: null, clinic: { id: 'c-1' } })),
  }),
  harmless('record-ids-of-19-digits', {
    title: 'Ids of records are numbers that a double rounds',
    ...inResponses(({ body }) => ({
      body: body.replace(/"id":"(p-[\w-]+)"/g, (_, id: string) => `"id":${digitsOf(id)}`),
    })),
  }),
  harmless('own-values-repeated', {
    title: 'Replies repeat the user and the session token of their own call',
    ...both(
      after(done(READ), ({ cred, result }) => yes({ ...result, ...cred })),
      after(done(SAVES), ({ authInfo: { user, token }, result }) => yes({ ...result, user, token })),
    ),
  }),
  harmless('relatives-described', {
    title: 'A record tells name, day of birth and phone of a relative',
    ...inRecords((record) => ({ ...record, familyMembers: [{ type: 1, patientId: 'p-anna', ...RELATIVE }] })),
  }),
  harmless('one-session-for-each-user', {
    title: 'A user has one session, the newest',
    ...oneSession,
    notPlayable: ['sessions-saved-at-once-kept'],
    told: ['logout-ends-its-exchange-tokens', 'disconnect-ends-exchange-tokens'],
  }),
  harmless('unknown-members-refused', {
    title: 'A call with unknown members in params, authInfo or cred is refused',
    ...refuses(
      ANY,
      'invalid_params',
      ({ call, params, authInfo, cred }) =>
        hasOthers(params, KNOWN) ||
        hasOthers(authInfo, KNOWN_OF_SESSION) ||
        (call.method === AUTHENTICATE && Object.keys(cred).length > 0),
    ),
  }),
  harmless('signature-renewed-by-relogin', {
    title: 'A relogin draws another user_sign, which reads then tell; the link keeps the earlier ones, too',
    ...renewsSignature,
  }),
  harmless('signature-for-life', {
    title: 'A user keeps one user_sign, whatever becomes of the link',
    ...signs(({ user }) => bytesToHex(hashToken(`secret of this server ${user}`))),
  }),
  harmless('exchange-token-taken-again', {
    title: 'An exchange token that is saved again for its own session is acknowledged',
    ...acceptsRefused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored', (turn) => {
      const { user, token } = pendingOf(turn) ?? {};
      return token === turn.authInfo.token && user === turn.authInfo.user;
    }),
  }),
  harmless('repeated-save-fails', {
    title: 'A repeated save is refused by an internal error',
    ...after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
    told: ['late-calls-refused', 'state-table-codes'],
  }),
  harmless('sign-inside-patient', {
    title: 'user_sign stands in the patient record, and userSign beside it',
    ...inResults(RECORDS, ({ patient, user_sign, userSign }) => ({
      patient: { ...membersOf(patient), user_sign },
      userSign,
    })),
  }),
  harmless('tokens-of-64-at-most', {
    title: 'A session token or an exchange token of more than 64 characters is refused',
    ...refuses(SAVES, 'invalid_params', ({ params, authInfo }) =>
      [params.exchangeToken, authInfo.token].some((token) => String(token ?? '').length > MAX_TOKEN_LENGTH),
    ),
    notPlayable: ['long-sessions-kept-apart', 'long-exchange-tokens-kept-apart'],
  }),
];
