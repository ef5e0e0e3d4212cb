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

export const changes: Readonly<Record<string, Change>> = {
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
    entry.kind === 'scenario' && entry.phase === 'end' ? { ...entry, absent: ['reportLink'] } : entry,
  'nothing is there': () => undefined,
};
