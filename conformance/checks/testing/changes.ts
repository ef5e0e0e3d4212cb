/** For tests: whole journals that are wrong in one respect. */
import type { Entry, ExchangeEntry, StepResult } from '../../journal/entry.ts';

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

const observed =
  (change: (value: number | string | boolean) => number | string | boolean): Change =>
  (entry) =>
    entry.kind === 'observation'
      ? {
          ...entry,
          values: Object.fromEntries(Object.entries(entry.values).map(([name, value]) => [name, change(value)])),
        }
      : entry;

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
  'nothing is observed': without('observation', 'code'),
  'every code is the same': (entry) => (entry.kind === 'code' ? { ...entry, code: 'the same' } : entry),
  'every code is a digit': (entry) =>
    entry.kind === 'code' ? { ...entry, facts: { length: 1, digits: true, step: 1, tenth: 0 } } : entry,
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
      `step ${number} succeeds without a value`,
      (entries: readonly Entry[]) => withStep(entries, number, ofEach['every step succeeds'] as Change),
    ] as const,
  ]),
  [
    'the server dies twice, and is gone',
    (entries) =>
      entries.flatMap((entry) => (entry.kind === 'step' && entry.label === 'link' ? [entry, ...died(entry)] : [entry])),
  ],
];
