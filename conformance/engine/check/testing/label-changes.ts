/** For tests: changes to the steps of one label, each of which a check may see. */
import type { Entry, ExchangeEntry, Label, StepResult } from '../../journal/entry.ts';
import { JournalView } from '../../journal/view.ts';

const ENDS: readonly StepResult[] = [
  { kind: 'done', values: {} },
  { kind: 'refused', status: 403, code: '-33000' },
  { kind: 'failed', what: 'server-error', detail: 'HTTP 500' },
  { kind: 'failed', what: 'timeout', detail: 'no answer' },
  { kind: 'failed', what: 'unexpected-answer', detail: 'nothing is seen' },
];

export type Change = (entries: Entry[]) => void;

/** The `seq` of the steps of a label, in order. */
const stepsOf = (entries: readonly Entry[], { scenario, label }: Label): number[] =>
  entries.flatMap((each) =>
    each.kind === 'step' && each.scenario === scenario && each.label === label ? [each.seq] : [],
  );

/** Ends the steps of a label otherwise: all of them, or the first or the last alone. */
export function endings(label: Label): Change[] {
  const change = (which: (seqs: readonly number[]) => readonly number[], result: StepResult): Change => {
    return (entries) => {
      const chosen = new Set(which(stepsOf(entries, label)));
      for (const entry of entries)
        if (entry.kind === 'outcome' && chosen.has(entry.step)) entry.result = result;
    };
  };
  return ENDS.flatMap((result) => [
    change((seqs) => seqs, result),
    change((seqs) => seqs.slice(0, 1), result),
    change((seqs) => seqs.slice(-1), result),
  ]);
}

/** Gives the messages of a label's steps another answer. */
export function answers(label: Label): Change[] {
  const change = (response: ExchangeEntry['response']): Change => {
    return (entries) => {
      const own = new Set(stepsOf(entries, label));
      for (const entry of entries)
        if (entry.kind === 'exchange' && own.has(entry.step ?? -1)) Object.assign(entry, { response });
    };
  };
  return [
    change({ status: 500, headers: [], body: '' }),
    change({ status: 200, headers: [], body: '{"jsonrpc":"2.0","id":1,"result":{"linked":true}}' }),
  ];
}

/** Changes the calls in the steps of a label: leaves them out, repeats them, gives them another ttl. */
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

/** Changes what the kit observed under a label: more, less, nothing. */
export function observations({ scenario, label }: Label): Change[] {
  const change = (of: (value: number | string | boolean) => number | string | boolean): Change => {
    return (entries) => {
      for (const entry of entries)
        if (entry.kind === 'observation' && entry.scenario === scenario && entry.label === label)
          entry.values = Object.fromEntries(
            Object.entries(entry.values).map(([name, value]) => [name, of(value)]),
          );
    };
  };
  return [
    change((value) => (typeof value === 'number' ? value + 1 : value)),
    change((value) => (typeof value === 'number' ? value + 1_000 : value)),
    change((value) => (typeof value === 'number' ? 0 : value)),
    change((value) => (typeof value === 'boolean' ? !value : value)),
    change((value) => (typeof value === 'string' ? '' : value)),
    change((value) => (typeof value === 'string' ? `${value} otherwise` : value)),
  ];
}
