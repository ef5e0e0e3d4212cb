/** For tests: whole journals that are wrong in one respect. */
import type { Entry, ExchangeEntry, StepResult } from '../../journal/entry.ts';
import type { Facts } from '../../journal/facts.ts';

type Change = (entry: Entry) => Entry | undefined;

const outcomes =
  (result: StepResult): Change =>
  (entry) =>
    entry.kind === 'outcome' ? { ...entry, result } : entry;

const exchanges =
  (link: ExchangeEntry['link'], change: (entry: ExchangeEntry) => Entry | undefined): Change =>
  (entry) =>
    entry.kind === 'exchange' && entry.link === link ? change(entry) : entry;

const without =
  (...kinds: Entry['kind'][]): Change =>
  (entry) =>
    kinds.includes(entry.kind) ? undefined : entry;

const mapValues = <T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

const observed =
  (change: (value: number | string | boolean) => number | string | boolean): Change =>
  (entry) =>
    entry.kind === 'observation' ? { ...entry, values: mapValues(entry.values, change) } : entry;

/** Changes what was learned of each call to the EHR server. */
const calls = (change: (facts: Facts) => Facts): Change =>
  exchanges('auth->ehr', (entry) => ({ ...entry, facts: change(entry.facts) }));

/** Changes the call alone. */
const inCalls = (change: Partial<NonNullable<Facts['call']>>): Change =>
  calls((facts) => (facts.call ? { ...facts, call: { ...facts.call, ...change } } : facts));

/** Changes the values that the client was given. */
const values =
  (change: (value: string) => string): Change =>
  (entry) =>
    entry.kind === 'outcome' && entry.result.kind === 'done'
      ? { ...entry, result: { ...entry.result, values: mapValues(entry.result.values, change) } }
      : entry;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const YEAR_MINUTES = 525_600;

const withTtl = (facts: Facts, change: (ttl: number) => number): Facts =>
  facts.call?.ttl === undefined ? facts : { ...facts, call: { ...facts.call, ttl: change(facts.call.ttl) } };

/** Lets every answer allow the page that its request named, with these headers beside. */
const allowsOrigin = (more: [string, string][]): Change =>
  exchanges('client->auth', ({ response, ...entry }) => {
    const [, origin] = entry.request.headers.find(([name]) => name.toLowerCase() === 'origin') ?? [];
    if (!response || origin === undefined) return { ...entry, ...(response && { response }) };
    return { ...entry, response: { ...response, headers: [['access-control-allow-origin', origin], ...more] } };
  });

const serverError = { status: 500, headers: [], body: '' };

const ofEach: Readonly<Record<string, Change>> = {
  'every step is refused': outcomes({ kind: 'refused', status: 400, reason: 'no' }),
  'no step is answered': outcomes({ kind: 'failed', what: 'timeout', detail: 'nothing came' }),
  'every step succeeds': outcomes({ kind: 'done', values: {} }),
  'the EHR server hears nothing': exchanges('auth->ehr', () => undefined),
  'the EHR server answers 500': exchanges('auth->ehr', (entry) => ({ ...entry, response: serverError })),
  'the EHR server does not answer': exchanges('auth->ehr', ({ response: _, ...entry }) => entry),
  'the client hears nothing': exchanges('client->auth', () => undefined),
  'the client reads nothing of the EHR server': exchanges('client->ehr', () => undefined),
  'no fault is met': (entry) => {
    if (entry.kind !== 'exchange') return entry;
    const { fault: _unmet, ...rest } = entry;
    return rest;
  },
  'nothing is counted': observed((value) => (typeof value === 'boolean' ? false : typeof value === 'number' ? 0 : '')),
  'much is counted': observed((value) =>
    typeof value === 'boolean' ? true : typeof value === 'number' ? value + 1_000 : value,
  ),
  'one more is counted': observed((value) => (typeof value === 'number' ? value + 1 : value)),
  'nothing is observed': without('observation', 'code'),
  'every code is the same': (entry) => (entry.kind === 'code' ? { ...entry, code: 'the same' } : entry),
  'every code is a digit': (entry) =>
    entry.kind === 'code' ? { ...entry, facts: { length: 1, digits: true, step: 1, tenth: 0 } } : entry,
  'every call names another user': inCalls({ user: 'another', token: 'another' }),
  'every call names one user and one exchange token, and a token of its own': exchanges('auth->ehr', (entry) => {
    const { call } = entry.facts;
    const named = { user: 'the same', exchangeToken: 'the same', token: `token ${entry.seq}` };
    return call ? { ...entry, facts: { ...entry.facts, call: { ...call, ...named } } } : entry;
  }),
  'every call names one exchange token': inCalls({ exchangeToken: 'the same' }),
  'every ttl is a second': inCalls({ ttl: 1 }),
  'no call has a ttl': inCalls({ ttl: undefined as never, authInfo: { ttl: 'string' } }),
  'every ttl is a hundred years': inCalls({ ttl: 100 * YEAR_MINUTES }),
  'every ttl is a minute more': calls((facts) => withTtl(facts, (ttl) => ttl + 1)),
  'every ttl is halved': calls((facts) => withTtl(facts, (ttl) => Math.ceil(ttl / 2))),
  'no call can be read': calls(({ call: _, ...facts }) => facts),
  'every call lacks its members': inCalls({ params: {}, authInfo: {}, cred: {}, jsonrpc: '1.0', idType: 'null' }),
  'every digest is wrong': calls(({ digest: _, ...facts }) => ({
    ...facts,
    digest: { length: 8, lowercaseHex: false, rightUser: false, explained: 'it is cut' },
  })),
  'every call is refused': calls((facts) => ({
    ...facts,
    reply: { result: false, code: -1, reason: 'not_authorized' },
  })),
  'secrets are in clear': calls((facts) => ({
    ...facts,
    inClear: ['the internal password in the body'],
    patientData: ['surname in the body'],
  })),
  'the client is told secrets': exchanges('client->auth', (entry) => ({
    ...entry,
    facts: { ...entry.facts, toClient: ['a session token in the body', 'the internal password in header x'] },
  })),
  'the date of each answer has the digits of a code': exchanges('client->auth', (entry) => ({
    ...entry,
    facts: { ...entry.facts, toClient: ['a code that is not confirmed yet in header date'] },
  })),
  'no answer has headers': exchanges('client->auth', (entry) =>
    entry.response ? { ...entry, response: { ...entry.response, headers: [] } } : entry,
  ),
  'every answer lets any page read it': allowsOrigin([]),
  'every answer lets any page read it with cookies': allowsOrigin([['access-control-allow-credentials', 'true']]),
  'every connection breaks': exchanges('client->auth', ({ response: _, ...entry }) => ({ ...entry, broke: 'reset' })),
  'every fault is a late answer': (entry) =>
    entry.kind === 'exchange' && entry.fault !== undefined ? { ...entry, fault: 'late' } : entry,
  'every step takes a minute': (entry) => {
    if (entry.kind === 'outcome') return { ...entry, took: MINUTE_MS };
    return entry.kind === 'exchange' ? { ...entry, endedAt: entry.at + MINUTE_MS } : entry;
  },
  'every call comes a second later': exchanges('auth->ehr', (entry) => ({
    ...entry,
    at: entry.at + SECOND_MS,
    endedAt: entry.endedAt + SECOND_MS,
  })),
  'every value is another': values((value) => `other ${value}`),
  'every value is the same': values(() => 'the same'),
  'no scenario ends': (entry) => (entry.kind === 'scenario' && entry.phase === 'end' ? undefined : entry),
  'every scenario is stopped': (entry) =>
    entry.kind === 'scenario' && entry.phase === 'end'
      ? { ...entry, stopped: { because: 'it could not go on', blame: 'environment' } }
      : entry,
  'every step is absent': (entry) =>
    entry.kind === 'scenario' && entry.phase === 'end' ? { ...entry, absent: ['reportLink', 'logout'] } : entry,
  'nothing is there': () => undefined,
};

/** More steps than most scenarios have. */
const STEPS = 12;

/** The journal as it is when one step of each scenario, by its number from 1 on, ended otherwise. */
function withStep(entries: readonly Entry[], number: number, change: (entry: Entry) => Entry | undefined): Entry[] {
  const counts = new Map<string, number>();
  const chosen = new Set<number>();
  for (const entry of entries) {
    if (entry.kind !== 'step') continue;
    const count = (counts.get(entry.scenario) ?? 0) + 1;
    counts.set(entry.scenario, count);
    if (count === number) chosen.add(entry.seq);
  }
  const isOf = (entry: Entry) =>
    chosen.has(entry.kind === 'outcome' ? entry.step : entry.seq) ||
    ('step' in entry && chosen.has(Number(entry.step)));
  return entries.flatMap((entry) => (isOf(entry) ? (change(entry) ?? []) : [entry]));
}

const died = ({ seq, at }: Entry): Entry[] =>
  [
    { event: 'died', ended: 'ended with exit code 1', output: ['its last words'] },
    { event: 'started' },
    { event: 'died', ended: 'ended by SIGSEGV' },
    { event: 'unreachable', ended: 'does not listen' },
  ].map((event, index) => ({ kind: 'server', seq: seq + (index + 1) / 10, at, ...event }) as Entry);

/** The journal as it is when each refused step has reached the EHR server before, with an odd call. */
function sentOn(entries: readonly Entry[]): Entry[] {
  const call = entries.find((entry) => entry.kind === 'exchange' && entry.link === 'auth->ehr');
  return entries.flatMap((entry) => {
    if (entry.kind !== 'outcome' || entry.result.kind !== 'refused' || call?.kind !== 'exchange') return [entry];
    const { seq, at } = entry;
    return [{ ...call, seq: seq - 0.5, at, endedAt: at, facts: {} as Facts, attempt: undefined } as Entry, entry];
  });
}

/** The journal as it is when exactly half of the codes are short. */
function halfShort(entries: readonly Entry[]): Entry[] {
  const codes = entries.flatMap((entry) => (entry.kind === 'code' ? [entry] : []));
  const left = codes.length % 2 === 1 ? codes[0] : undefined;
  const short = new Set<Entry>(codes.slice(-codes.length / 2));
  return entries
    .filter((entry) => entry !== left)
    .map((entry) =>
      entry.kind === 'code' && short.has(entry) ? { ...entry, facts: { ...entry.facts, length: 3 } } : entry,
    );
}

const numbers = Array.from({ length: STEPS }, (_, index) => index + 1);

/** Wrong journals by what is wrong with them, each made of a right one. */
export const changes: readonly (readonly [what: string, change: (entries: readonly Entry[]) => Entry[]])[] = [
  ...Object.entries(ofEach).map(
    ([what, change]) => [what, (entries: readonly Entry[]) => entries.flatMap((entry) => change(entry) ?? [])] as const,
  ),
  ...numbers.flatMap((number) => [
    [`step ${number} is left out`, (entries: readonly Entry[]) => withStep(entries, number, () => undefined)] as const,
    [
      `step ${number} is refused`,
      (entries: readonly Entry[]) => withStep(entries, number, ofEach['every step is refused'] as Change),
    ] as const,
    [
      `step ${number} is not answered`,
      (entries: readonly Entry[]) => withStep(entries, number, ofEach['no step is answered'] as Change),
    ] as const,
    [
      `step ${number} succeeds without a value`,
      (entries: readonly Entry[]) => withStep(entries, number, ofEach['every step succeeds'] as Change),
    ] as const,
  ]),
  [
    'every step succeeds, and step 8 is not answered',
    (entries) => {
      const done = entries.flatMap((entry) => ofEach['every step succeeds']?.(entry) ?? []);
      return withStep(done, 8, ofEach['no step is answered'] as Change);
    },
  ],
  ['what is refused was sent on', sentOn],
  ['half of the codes are short', halfShort],
  [
    'the server dies twice, and is gone',
    (entries) =>
      entries.flatMap((entry) => (entry.kind === 'step' && entry.label === 'link' ? [entry, ...died(entry)] : [entry])),
  ],
];
