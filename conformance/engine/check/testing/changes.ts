/**
 * For tests: small changes to messages, or to the whole journal, of a right party. Each imitates a fault, so
 * that a test can see whether a check notices it. Changes to the steps of one label are in label-changes.ts.
 */
import type { Entry, EntryOf, ExchangeEntry, Label, Link, ObservationEntry } from '../../journal/entry.ts';
import { headerOf } from '../../journal/header-of.ts';
import { TO_CLIENT } from '../../journal/secrets/found/secrets-to-client.ts';
import { copied } from './copies.ts';

/** Changes a list of entries in place. It changes no entry itself: other lists have the same ones. */
export type Change = (entries: Entry[]) => void;

/** Changes a copy of each entry of a kind for which `isMeant` is true, of the first `most` at most. */
export const inEach =
  <Kind extends Entry['kind']>(
    kind: Kind,
    change: (entry: EntryOf<Kind>) => unknown,
    isMeant: (entry: EntryOf<Kind>) => boolean = () => true,
    most = Number.POSITIVE_INFINITY,
  ): Change =>
  (entries) => {
    let left = most;
    for (const [index, entry] of entries.entries()) {
      if (!isOfKind(entry, kind) || !isMeant(entry)) continue;
      if (left-- === 0) return;
      const own = copied(entry);
      change(own);
      entries[index] = own;
    }
  };

const isOfKind = <Kind extends Entry['kind']>(entry: Entry, kind: Kind): entry is EntryOf<Kind> =>
  entry.kind === kind;

type Value = ObservationEntry['values'][string];

const oneMore = (value: Value): Value => (typeof value === 'number' ? value + 1 : value);

/** Other values that the kit may have observed: more, less, the opposite, nothing. */
const OTHERWISE: readonly ((value: Value) => Value)[] = [
  oneMore,
  (value) => (typeof value === 'number' ? value + 1_000 : value),
  (value) => (typeof value === 'number' ? 0 : value),
  (value) => (typeof value === 'boolean' ? !value : value),
  (value) => (typeof value === 'string' ? '' : value),
  (value) => (typeof value === 'string' ? `${value} otherwise` : value),
];

/** Changes all values of the observations for which `isMeant` is true. */
const observing = (other: (value: Value) => Value, isMeant?: (entry: Label) => boolean): Change =>
  inEach(
    'observation',
    (entry) => {
      const values = Object.entries(entry.values).map(([name, value]) => [name, other(value)]);
      entry.values = Object.fromEntries(values);
    },
    isMeant,
  );

/** Changes after which the kit has observed something else. */
export const observations = (isMeant: (entry: Label) => boolean): Change[] =>
  OTHERWISE.map((other) => observing(other, isMeant));

/** Calls on one link. Method undefined: all calls on it. */
export type CallKind = { link: Link; method: string | undefined };

/** Replaces facts of the JSON-RPC call in an exchange. */
const named = (values: Partial<NonNullable<ExchangeEntry['facts']['call']>>) => (entry: ExchangeEntry) =>
  entry.facts.call && Object.assign(entry.facts.call, values);

/**
 * Changes of one exchange, a fault each: the call is missing (moved to the SMS link, where no check of calls
 * looks), it is refused, it carries wrong values, it is slow, its answer or its request leaks a secret.
 */
const WRONG_CALLS: readonly ((entry: ExchangeEntry) => unknown)[] = [
  (entry) => Object.assign(entry, { link: 'auth->sms' }),
  ({ facts }) => Object.assign(facts, { reply: { result: false, code: -33000 } }),
  named({ token: '‹session-token 0›' }),
  named({ exchangeToken: '‹exchange-token 0›' }),
  named({ user: '‹user 0›' }),
  ({ facts }) => delete facts.digest,
  (entry) => Object.assign(entry, { endedAt: entry.endedAt + 1_000_000 }),
  named({ method: 'patient.get_patient' }),
  ({ facts }) => {
    for (const token of Object.values(facts.fresh ?? {})) token.bits = 1;
  },
  ({ facts }) => Object.assign(facts, { besideBody: ['the session token in the path'] }),
  ...[...Object.values(TO_CLIENT), 'a code that is not confirmed yet in the body'].map(
    (told) =>
      ({ facts }: ExchangeEntry) =>
        Object.assign(facts, { toClient: [told] }),
  ),
  ({ response = {} }) => Object.assign(response, { status: 404 }),
  ({ response = {} }) => Object.assign(response, { body: 'Traceback (most recent call last):' }),
  ({ request }) => Object.assign(request, { body: '{"internalUserId":1}' }),
  ({ request }) => Object.assign(request, { body: '{"params":{"note":"‹exchange-token 1›"}}' }),
  ({ request }) => Object.assign(request, { path: '/1.0-alpha/?token=‹session-token 1›' }),
  ({ request }) => Object.assign(request, { headers: [['authorization', 'Bearer ‹session-token 1›']] }),
  ({ facts }) => Object.assign(facts, { patientData: ['surname in the request body, plain'] }),
];

/** Changes that wrong the first call of this kind, or all calls of it, and changes that repeat them. */
export function calls({ link, method }: CallKind): Change[] {
  const isMeant = (entry: ExchangeEntry) =>
    entry.link === link && (method === undefined || entry.facts.call?.method === method);
  const repeated =
    (times: number, most = Number.POSITIVE_INFINITY): Change =>
    (entries) => {
      const meant = new Set(
        entries.filter((each) => each.kind === 'exchange' && isMeant(each)).slice(0, most),
      );
      const all = entries.flatMap((each) =>
        meant.has(each) ? [each, ...Array.from({ length: times }, () => ({ ...each }))] : [each],
      );
      entries.splice(0, entries.length, ...all);
    };
  return [
    ...WRONG_CALLS.map((change) => inEach('exchange', change, isMeant, 1)),
    ...WRONG_CALLS.map((change) => inEach('exchange', change, isMeant)),
    repeated(12, 1),
    repeated(1),
  ];
}

/** Adds an observation of a fault under this label, as if the kit had noted it outside any scenario. */
export function noted(label: string): Change {
  return (entries) => {
    const { seq = 0, at = 0 } = entries.find(({ kind }) => kind === 'exchange') ?? {};
    const values = { to: 'ehr', method: 'a call', what: 'it is wrong' };
    entries.push({ kind: 'observation', seq, at, scenario: '', label, values });
  };
}

export const SAVE = 'embedded_storage.save_auth_info';

/** Hides all saves of sessions: on the SMS link no check looks for them. */
export const unsaved: Change = inEach(
  'exchange',
  (entry) => Object.assign(entry, { link: 'auth->sms' }),
  ({ facts }) => facts.call?.method === SAVE,
);

/** Makes the server die at the end of the run. */
export const dies: Change = (entries) => {
  const { seq = 0, at = 0 } = entries.at(-1) ?? {};
  entries.push({ kind: 'server', seq: seq + 1, at, event: 'died', ended: 'ended with code 1' });
};

const YEAR_MINUTES = 525_600;

/** Changes of the whole journal, for checks that compare the results of many steps. */
export const WHOLE: readonly Change[] = [
  inEach('outcome', (entry) => Object.assign(entry, { result: { kind: 'done', values: {} } })),
  observing(oneMore),
  inEach('code', (entry) => Object.assign(entry, { code: 'the same' })),
  inEach('code', ({ facts }) => Object.assign(facts, { length: 1, digits: true, step: 1, tenth: 0 })),
  inEach('exchange', ({ facts: { call } }) => {
    if (call?.ttl !== undefined) call.ttl = 100 * YEAR_MINUTES;
  }),
  inEach('exchange', named({ params: {}, authInfo: {}, cred: {}, jsonrpc: '1.0', idType: 'null' })),
  inEach('exchange', ({ facts }) => Object.assign(facts, { inClear: ['the internal password in the body'] })),
  inEach('exchange', ({ response = {} }) => Object.assign(response, { headers: [] })),
  inEach('exchange', ({ request, response }) => {
    const origin = headerOf(request.headers, 'origin');
    if (!response || origin === undefined) return;
    response.headers = allowing(origin);
    request.headers.push(['cookie', 'session=1']);
  }),
];

/** The headers that let a page read an answer with the cookies of its user. */
const allowing = (origin: string): [string, string][] => [
  ['access-control-allow-origin', origin],
  ['access-control-allow-credentials', 'true'],
];
