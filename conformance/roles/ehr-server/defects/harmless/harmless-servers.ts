/**
 * Harmless variants of the EHR server that work in another way: slower, with caches, with another order of
 * refusals, with other settings. No check may fail for them. A text `id: title` begins a variant; its change
 * of the right server follows. `settings` changes the kit's file about the server; `notPlayable` names checks
 * that then do not apply, `told` those that must find the difference.
 */
import type { LinkOutcome, LinkRequest, Store } from '#ehr-server/store/store.ts';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { isDone, no, type RpcReply, yes } from '../../../../engine/defects/rpc-call.ts';
import { PEOPLE } from '../../self-test/play.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  after,
  aMoment,
  around,
  before,
  both,
  instead,
  patientIdIn,
  sessionOfHash,
  withRules,
  withStore,
} from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { AUTHENTICATE, READ, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { inTwoParts, requestsInTurn } from './slow-servers.ts';

/** The delay (ms) of each answer: slower than the right server, and fast enough for a whole run. */
const DELAY_MS = 3;
const LONG_SIGN_BYTES = 64;

const slow = before(ANY, async ({ parts }) => {
  await new Promise<void>((resolve) => parts.clock.after(DELAY_MS, resolve));
  return undefined;
});

/** Carry out each call after the one before has been answered. */
const oneAtATime = around(ANY, ({ seen, next }) => {
  const line = seen.notes<Promise<RpcReply>>('line');
  const own = Promise.resolve(line.get('last')).then(() => next());
  line.set('last', own);
  return own;
});

/** Clear the cache of reads before and after every call that is no read. */
const clears = around(
  ({ call }) => call.method !== READ,
  async ({ seen, next }) => {
    const clear = () => {
      seen.forget('cache');
      seen.count('changes');
    };
    clear();
    const reply = await next();
    clear();
    return reply;
  },
);

/**
 * Answer a read from a cache until anything changes, or the clock moves on. A reply is not kept where
 * something changed while the read was under way.
 */
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

/**
 * The parties of a link: the user who asks, the patient linked to this user, and the user who has the
 * patient.
 */
type Parties = { user: string; ownPatient: string | undefined; holder: string | undefined };

/** Change how the store links a user; the function is also given the links that there are. */
const linking = (
  link: (request: LinkRequest, store: Store, parties: Parties) => Promise<LinkOutcome>,
): EhrChange =>
  withStore((store, { seen }) => ({
    async link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      const ownPatient = (await store.findLink(user))?.patientId;
      return link(request, store, {
        user,
        ownPatient,
        holder: await holderOf(request.patientId, store, seen),
      });
    },
  }));

/** The user to whom a patient is linked. The ledger knows links that may have ended; the store decides. */
async function holderOf(patientId: string, store: Store, { links }: Ledger): Promise<string | undefined> {
  for (const [user, result] of links)
    if (patientIdIn(result) === patientId && (await store.findLink(user))?.patientId === patientId)
      return user;
  return undefined;
}

/** Refuse a patient who fits but may not be linked, and do not count that as a failed match. */
const countsMissesAlone = linking(async (request, store, { user, ownPatient, holder }) => {
  const reason = await store.refusalOf(request);
  if (reason) return { refused: reason };
  if (ownPatient !== undefined && ownPatient !== request.patientId)
    return { refused: 'patient_already_matched' };
  if (ownPatient === undefined && holder !== undefined && holder !== user)
    return { refused: 'patient_already_linked' };
  return store.link(request);
});

/**
 * Where two refusals are right, tell that the patient is taken, and not that the user has another patient.
 */
const takenFirst = linking(async (request, store, { holder }) => {
  const outcome = await store.link(request);
  const isSecond = 'refused' in outcome && outcome.refused === 'patient_already_matched';
  return isSecond && holder !== undefined ? { refused: 'patient_already_linked' } : outcome;
});

/** The people of the kit's file without their medical cards. */
const withoutCards = {
  ...PEOPLE,
  matching: PEOPLE.matching.map(({ name, surname, date, phone }) => ({ name, surname, date, phone })),
};

export const harmlessServers = harmlessOf([
  'calls-named-in-log: It logs the method of each call, the user, and how many milliseconds it took',
  around(ANY, async ({ call, cred, parts, next }) => {
    const begun = parts.clock.now();
    const reply = await next();
    parts.print(`${call.method} of ${cred.user ?? 'nobody'}, ${parts.clock.now() - begun} ms`);
    return reply;
  }),
  'requests-in-turn: A request is read after the one before it has been answered',
  requestsInTurn(),
  'reply-in-two-parts: Each reply comes in two parts',
  inTwoParts,
  'slow: Each answer comes a little later',
  slow,
  'one-at-a-time: Calls are carried out one after another',
  oneAtATime,
  'reads-cached: Reads are cached until anything changes',
  both(caches, clears),
  'reads-answered-late: A read gets its data a moment after it was looked up, whatever happened meanwhile',
  around(READ, async ({ parts, next }) => {
    const reply = await next();
    await aMoment(parts);
    return reply;
  }),
  'cookie-of-a-balancer: Each reply sets a cookie that says nothing about a session',
  inResponses(({ headers }) => ({ headers: { ...headers, 'set-cookie': 'node=2; Path=/' } })),
  'misses-counted-alone: A refusal for a patient who fits is no failed match',
  countsMissesAlone,
  'taken-patient-told-first: Of several refusals, the taken patient is told first',
  takenFirst,
  'long-signatures: A user_sign has 512 bits',
  withStore((store, { random }) => ({
    link: (request) => store.link({ ...request, newUserSign: randomToken(random, LONG_SIGN_BYTES) }),
  })),
  'authenticate-answers-nothing: The reply of authenticate is empty, and the signature comes with the record',
  after(done(AUTHENTICATE), () => yes({})),
  { told: ['same-reply-of-both', 'field-client-served'] },
  'one-endpoint: One endpoint serves both channels',
  { pipeline: (pipeline) => (text, _channel) => pipeline(text, 'any') },
  {
    settings: { internalUrl: undefined },
    notPlayable: [
      'internal-methods-not-public',
      'internal-methods-not-disguised',
      'client-methods-not-internal',
      'code-of-access-forbidden',
    ],
  },
  'ttl-in-seconds: The ttl is counted in seconds, and the file says so',
  withRules({ ttlUnit: 'seconds' }),
  { settings: { ttlUnit: 'seconds' }, notPlayable: ['ttl-in-minutes'] },
  'ids-echoed: Ids come back as they were sent, and the file says so',
  withRules({ replyId: 'echo' }),
  { settings: { replyId: 'echo' }, notPlayable: ['id-as-text'] },
  'no-search-by-card: Patients are not searched by medical card, and the file names no card',
  withRules({ medcard: false }),
  {
    settings: { people: withoutCards },
    notPlayable: [
      ...['medcard-strategy', 'medcard-needs-card', 'gender-must-agree', 'like-cards-match-nobody'],
      'each-phone-finds',
    ],
  },
  'people-of-the-least: The file names neither an ambiguous nor an inactive patient, and no origin',
  {
    settings: { people: { matching: PEOPLE.matching }, origin: undefined },
    notPlayable: [
      ...['ambiguous-not-matched', 'ambiguous-answered-like-nobody', 'inactive-not-matched'],
      'origin-allowed',
    ],
  },
  'exchange-token-of-one-length: An exchange token of another length is refused for its shape',
  instead(ANY, ({ params: { exchangeToken } }) =>
    typeof exchangeToken === 'string' && /^[\w-]+$/.test(exchangeToken) && exchangeToken.length !== 43
      ? no('invalid_params')
      : undefined,
  ),
  { notPlayable: ['long-exchange-tokens-kept-apart'] },
  'params-null-served: params of null are taken as none',
  before(ANY, ({ call }) => (call.params === null ? { ...call, params: {} } : undefined)),
  'cred-of-odd-shape-not-authorized: A cred that is no object is refused as not authorized',
  instead(
    ({ call }) => typeof call.cred === 'string' || Array.isArray(call.cred),
    () => no('not_authorized'),
  ),
  'taken-token-told-first: Of several refusals of a save, the taken session token is told first',
  after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), async ({ authInfo, parts }) => {
    const session = await parts.store.findSession(hashToken(String(authInfo.token)));
    const isOwn = session?.link.user === authInfo.user && parts.clock.now() < (session?.expiresAt ?? 0);
    return session && !isOwn ? no('token_already_stored') : undefined;
  }),
]);
