/** For tests: makes changes to a journal: to some of its entries, or to the steps of one label. */
import type {
  Entry,
  EntryOf,
  ExchangeEntry,
  Label,
  ObservationEntry,
  OutcomeEntry,
  StepResult,
} from '../../journal/entry.ts';
import { JournalView } from '../../journal/view.ts';

/** Changes a journal in place. */
export type Change = (entries: Entry[]) => void;

/** Changes each entry of a kind for which `isMeant` is true, but no more than the first `most`. */
export const inEach =
  <Kind extends Entry['kind']>(
    kind: Kind,
    change: (entry: EntryOf<Kind>) => unknown,
    isMeant: (entry: EntryOf<Kind>) => boolean = () => true,
    most = Number.POSITIVE_INFINITY,
  ): Change =>
  (entries) => {
    const own = entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);
    for (const entry of own.filter(isMeant).slice(0, most)) change(entry);
  };

/** Returns a function that tells whether a step has this label in this scenario. */
export const isOf = (one: Label) => (other: Label) =>
  one.scenario === other.scenario && one.label === other.label;

/** The `seq` of the steps with this label. */
const stepsOf = (entries: readonly Entry[], label: Label): number[] =>
  entries.flatMap((entry) => (entry.kind === 'step' && isOf(label)(entry) ? [entry.seq] : []));

/** Other ways in which a step may end: success, refusal, and three failures. */
const ENDS: readonly StepResult[] = [
  { kind: 'done', values: {} },
  { kind: 'refused', status: 403, code: '-33000' },
  { kind: 'failed', what: 'server-error', detail: 'HTTP 500' },
  { kind: 'failed', what: 'timeout', detail: 'no answer' },
  { kind: 'failed', what: 'unexpected-answer', detail: 'nothing is seen' },
];

/** All steps of a label, or the first or the last alone. */
const CHOICES: readonly ((steps: readonly number[]) => readonly number[])[] = [
  (steps) => steps,
  (steps) => steps.slice(0, 1),
  (steps) => steps.slice(-1),
];

/** Returns changes by which the steps of a label end in another way. */
export const endings = (label: Label): Change[] =>
  ENDS.flatMap((result) =>
    CHOICES.map(
      (choice): Change =>
        (entries) => {
          const chosen = new Set(choice(stepsOf(entries, label)));
          const end = (outcome: OutcomeEntry) => Object.assign(outcome, { result });
          inEach('outcome', end, ({ step }) => chosen.has(step))(entries);
        },
    ),
  );

const ANSWERS: readonly ExchangeEntry['response'][] = [
  { status: 500, headers: [], body: '' },
  { status: 200, headers: [], body: '{"jsonrpc":"2.0","id":1,"result":{"linked":true}}' },
];

/** Returns changes that give another HTTP answer to the messages of a label's steps. */
export const answers = (label: Label): Change[] =>
  ANSWERS.map(
    (response): Change =>
      (entries) => {
        const own = new Set(stepsOf(entries, label));
        const answer = (exchange: ExchangeEntry) => Object.assign(exchange, { response });
        inEach('exchange', answer, ({ step = -1 }) => own.has(step))(entries);
      },
  );

type Value = ObservationEntry['values'][string];

/** Other values that the kit may have observed: more, less, the opposite, nothing. */
export const OTHERWISE: readonly ((value: Value) => Value)[] = [
  (value) => (typeof value === 'number' ? value + 1 : value),
  (value) => (typeof value === 'number' ? value + 1_000 : value),
  (value) => (typeof value === 'number' ? 0 : value),
  (value) => (typeof value === 'boolean' ? !value : value),
  (value) => (typeof value === 'string' ? '' : value),
  (value) => (typeof value === 'string' ? `${value} otherwise` : value),
];

/** Changes what the kit observed under a label, or under all labels. */
export const observing = (other: (value: Value) => Value, label?: Label): Change =>
  inEach(
    'observation',
    (entry) => {
      const values = Object.entries(entry.values).map(([name, value]) => [name, other(value)]);
      entry.values = Object.fromEntries(values);
    },
    label && isOf(label),
  );

/** Changes the calls to the EHR server in a label's steps: removes them, repeats them, changes their ttl. */
export function callsIn(label: Label): Change[] {
  const change = (of: (call: ExchangeEntry) => ExchangeEntry[]): Change => {
    return (entries) => {
      const own = new Set(new JournalView(entries).steps(label).flatMap(({ exchanges }) => exchanges));
      const isMeant = (each: Entry): each is ExchangeEntry =>
        each.kind === 'exchange' && each.link === 'auth->ehr' && own.has(each);
      entries.splice(
        0,
        entries.length,
        ...entries.flatMap((each): Entry[] => (isMeant(each) ? of(each) : [each])),
      );
    };
  };
  const withTtl = (of: (ttl: number) => number) =>
    change((each) => {
      const { call } = each.facts;
      if (call?.ttl !== undefined) call.ttl = of(call.ttl);
      return [each];
    });
  return [
    change(() => []),
    change((each) => Array.from({ length: 12 }, () => ({ ...each }))),
    withTtl((ttl) => ttl + 10),
    withTtl(() => 0),
  ];
}
