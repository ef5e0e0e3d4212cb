/** Variants that differ from the reference and are just as right: none of them may change a verdict. */
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import { PEOPLE } from '../../self-test/play.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrHarmless } from '../defect.ts';
import {
  AUTHENTICATE,
  answering,
  authInfoOf,
  inCalls,
  isDone,
  paramsOf,
  READ,
  reasonOf,
  refusal,
  type WireReply,
} from '../messages/messages.ts';
import { withRules, withStore } from '../parts.ts';
import { harmlessMessages } from './harmless-messages.ts';
import { harmlessReplies } from './harmless-replies.ts';

/** The delay of each answer: slow for a server, and fast enough for a whole run. */
const DELAY_MS = 3;
const LONG_SIGN_BYTES = 64;

const slow: EhrChange = answering(() => async (_call, { next, parts }) => {
  await new Promise<void>((resolve) => parts.clock.after(DELAY_MS, resolve));
  return next();
});

const oneAtATime: EhrChange = answering(() => {
  let last: Promise<unknown> = Promise.resolve();
  return (_call, { next }) => {
    const own = last.then(() => next());
    last = own;
    return own;
  };
});

/** A cache of reads that every other call clears. */
const clearedCache: EhrChange = answering(() => {
  const cache = new Map<string, { reply: WireReply; at: number }>();
  let changes = 0;
  return async (call, { next, parts }) => {
    if (call.method !== READ) {
      cache.clear();
      changes++;
      const reply = await next();
      cache.clear();
      changes++;
      return reply;
    }
    const key = JSON.stringify([call.cred, call.params]);
    const known = cache.get(key);
    if (known?.at === parts.clock.now() && known.reply) return { ...known.reply, id: String(call.id ?? null) };
    const before = changes;
    const reply = await next();
    if (isDone(reply) && changes === before && call.id) cache.set(key, { reply, at: parts.clock.now() });
    return reply;
  };
});

/** Does not count a refusal for a patient who fits as a failed match. */
const countsMissesAlone: EhrChange = withStore((store) => {
  const userOf = new Map<string, string>();
  const holders = new Map<string, string>();
  return {
    async saveExchangeToken(token, now) {
      const outcome = await store.saveExchangeToken(token, now);
      if ('id' in outcome) userOf.set(String(token.hash), token.session.user);
      return outcome;
    },
    async link(request) {
      const refused = await store.refusalOf(request);
      if (refused) return { refused };
      const user = userOf.get(String(request.exchangeToken)) ?? '';
      const link = await store.findLink(user);
      if (link && link.patientId !== request.patientId) return { refused: 'patient_already_matched' };
      const holder = holders.get(request.patientId) ?? user;
      const held = await store.findLink(holder);
      if (!link && holder !== user && held?.patientId === request.patientId)
        return { refused: 'patient_already_linked' };
      const outcome = await store.link(request);
      if (!('refused' in outcome)) holders.set(request.patientId, user);
      return outcome;
    },
  };
});

/** Tells first that the patient is taken, where the user has another one, too. */
const takenFirst: EhrChange = withStore((store) => {
  const userOf = new Map<string, string>();
  const holders = new Map<string, string>();
  return {
    async saveExchangeToken(token, now) {
      userOf.set(String(token.hash), token.session.user);
      return store.saveExchangeToken(token, now);
    },
    async link(request) {
      const outcome = await store.link(request);
      const { patientId } = request;
      if (!('refused' in outcome)) holders.set(patientId, userOf.get(String(request.exchangeToken)) ?? '');
      else if (outcome.refused === 'patient_already_matched') {
        const held = await store.findLink(holders.get(patientId) ?? '');
        if (held?.patientId === patientId) return { refused: 'patient_already_linked' };
      }
      return outcome;
    },
  };
});

const withoutCards = {
  ...PEOPLE,
  matching: PEOPLE.matching.map(({ name, surname, date, phone }) => ({ name, surname, date, phone })),
};

export const ehrHarmless: readonly EhrHarmless[] = [
  ...harmlessMessages,
  ...harmlessReplies,
  { id: 'slow', title: 'Each answer comes a little later', change: slow },
  { id: 'one-at-a-time', title: 'Calls are carried out one after another', change: oneAtATime },
  { id: 'reads-cached', title: 'Reads are cached until anything changes', change: clearedCache },
  {
    id: 'misses-counted-alone',
    title: 'A refusal for a patient who fits is no failed match',
    change: countsMissesAlone,
  },
  {
    id: 'taken-patient-told-first',
    title: 'Where several refusals apply, that the patient is taken is told first',
    change: takenFirst,
  },
  {
    id: 'long-signatures',
    title: 'A user_sign has 512 bits',
    change: withStore((store, { random }) => ({
      link: (request) => store.link({ ...request, newUserSign: randomToken(random, LONG_SIGN_BYTES) }),
    })),
  },
  {
    id: 'one-endpoint',
    title: 'One endpoint serves both channels',
    change: { pipeline: (pipeline) => (text, _channel) => pipeline(text, 'any') },
    settings: { internalUrl: undefined },
    notPlayable: [
      'internal-methods-not-public',
      'internal-methods-not-disguised',
      'client-methods-not-internal',
      'code-of-access-forbidden',
    ],
  },
  {
    id: 'ttl-in-seconds',
    title: 'The ttl is counted in seconds, and the file says so',
    change: withRules({ ttlUnit: 'seconds' }),
    settings: { ttlUnit: 'seconds' },
    notPlayable: ['ttl-in-minutes'],
  },
  {
    id: 'ids-echoed',
    title: 'Ids come back as they were sent, and the file says so',
    change: withRules({ replyId: 'echo' }),
    settings: { replyId: 'echo' },
    notPlayable: ['id-as-text'],
  },
  {
    id: 'no-search-by-card',
    title: 'Patients are not searched by medical card, and the file names no card',
    change: withRules({ medcard: false }),
    settings: { people: withoutCards },
    notPlayable: ['medcard-strategy', 'medcard-needs-card', 'gender-must-agree', 'like-cards-match-nobody'],
  },
  {
    id: 'people-of-the-least',
    title: 'The file names neither an ambiguous nor an inactive patient, and no origin',
    change: {},
    settings: { people: { matching: PEOPLE.matching }, origin: undefined },
    notPlayable: ['ambiguous-not-matched', 'inactive-not-matched', 'origin-allowed'],
  },
  {
    id: 'exchange-token-of-one-length',
    title: 'An exchange token of another length is refused for its shape',
    change: answering(() => (call, { next }) => {
      const { exchangeToken } = paramsOf(call);
      const isOdd = typeof exchangeToken === 'string' && !/^[\w-]{43}$/.test(exchangeToken);
      return call.method === AUTHENTICATE && isOdd ? refusal(call, 'invalid_params') : next();
    }),
  },
  {
    id: 'params-null-served',
    title: 'params of null are taken as none',
    change: inCalls((call) => (call.params === null ? { ...call, params: {} } : call)),
  },
  {
    id: 'cred-of-odd-shape-not-authorized',
    title: 'A cred that is no object is refused as not authorized',
    change: answering(() => (call, { next }) => {
      const isOdd = typeof call.cred === 'string' || Array.isArray(call.cred);
      return isOdd ? refusal(call, 'not_authorized') : next();
    }),
  },
  {
    id: 'taken-token-told-first',
    title: 'Where several refusals apply to a save, that the session token is taken is told first',
    change: answering(() => async (call, { next, parts }) => {
      const reply = await next();
      if (reasonOf(reply) !== 'exchange_token_already_stored') return reply;
      const { user, token } = authInfoOf(call);
      const session = await parts.store.findSession(hashToken(String(token)));
      const isOwn = session?.link.user === user && parts.clock.now() < (session?.expiresAt ?? 0);
      return session && !isOwn ? refusal(call, 'token_already_stored') : reply;
    }),
  },
];
