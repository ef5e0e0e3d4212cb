/**
 * Harmless variants of the EHR server that work in another way: slower, with caches, with another order of
 * refusals, with other settings. No check may fail for them. A text `id: title` begins a variant; its change
 * of the right server follows. `settings` changes the kit's file about the server; `notPlayable` names checks
 * that then do not apply, `told` those that must find the difference.
 */
import type { LinkOutcome, LinkRequest, Store } from '#ehr-server/store/store.ts';
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import { ANY, done } from '../../../../engine/defects/operators.ts';
import { isDone, no, yes } from '../../../../engine/defects/rpc-call.ts';
import { PEOPLE } from '../../self-test/play.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  after,
  aMoment,
  around,
  both,
  instead,
  patientIdIn,
  sessionOfHash,
  withRules,
  withStore,
} from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { AUTHENTICATE, READ } from '../methods.ts';

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

/** The people of the kit's file without their medical cards. */
const withoutCards = {
  ...PEOPLE,
  matching: PEOPLE.matching.map(({ name, surname, date, phone }) => ({ name, surname, date, phone })),
};

/** Serve the calls one after another, on both channels: each waits for the answer to the one before it. */
export function requestsInTurn(): EhrChange {
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

export const harmlessServers = harmlessOf([
  'requests-in-turn: A request is read after the one before it has been answered',
  requestsInTurn(),
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
  'authenticate-answers-nothing: The reply of authenticate is empty, and the signature comes with the record',
  after(done(AUTHENTICATE), () => yes({})),
  { told: ['field-client-served'] },
  'one-endpoint: One endpoint serves both channels',
  { pipeline: (pipeline) => (text, _channel) => pipeline(text, 'any') },
  {
    settings: { internalUrl: undefined },
    notPlayable: ['internal-methods-not-public', 'internal-methods-not-disguised'],
  },
  'ttl-in-seconds: The ttl is counted in seconds, and the file says so',
  withRules({ ttlUnit: 'seconds' }),
  { settings: { ttlUnit: 'seconds' }, notPlayable: ['ttl-in-minutes'] },
  'ids-echoed: Ids come back as they were sent, and the file says so',
  withRules({ replyId: 'echo' }),
  { settings: { replyId: 'echo' } },
  'no-search-by-card: Patients are not searched by medical card, and the file names no card',
  withRules({ medcard: false }),
  { settings: { people: withoutCards }, notPlayable: ['medcard-strategy', 'like-cards-match-nobody'] },
  'people-of-the-least: The file names neither an ambiguous nor an inactive patient, and no origin',
  {
    settings: { people: { matching: PEOPLE.matching }, origin: undefined },
    notPlayable: ['ambiguous-not-matched', 'inactive-not-matched', 'origin-allowed'],
  },
  'exchange-token-of-one-length: An exchange token of another length is refused for its shape',
  instead(ANY, ({ params: { exchangeToken } }) =>
    typeof exchangeToken === 'string' && /^[\w-]+$/.test(exchangeToken) && exchangeToken.length !== 43
      ? no('invalid_params')
      : undefined,
  ),
  { notPlayable: ['long-exchange-tokens-kept-apart'] },
]);
