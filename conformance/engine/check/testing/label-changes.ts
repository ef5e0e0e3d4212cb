/** For tests: makes changes to the steps of one label in the journal of a right party. */
import type { Entry, ExchangeEntry, Label, OutcomeEntry, StepResult } from '../../journal/entry.ts';
import { JournalView } from '../../journal/view.ts';
import { type Change, inEach, observations, SAVE } from './changes.ts';
import { copied } from './copies.ts';

/** Returns a function that tells whether a step has this label in this scenario. */
const isOf = (one: Label) => (other: Label) => one.scenario === other.scenario && one.label === other.label;

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
const endings = (label: Label): Change[] =>
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
const answers = (label: Label): Change[] =>
  ANSWERS.map(
    (response): Change =>
      (entries) => {
        const own = new Set(stepsOf(entries, label));
        const answer = (exchange: ExchangeEntry) => Object.assign(exchange, { response });
        inEach('exchange', answer, ({ step = -1 }) => own.has(step))(entries);
      },
  );

/** Changes of how the steps of a label end, of what the kit observed in them, and of their answers. */
export const otherSteps = (label: Label): Change[] => [
  ...endings(label),
  ...observations(isOf(label)),
  ...answers(label),
];

/** Gives the steps of one label the label of another step. */
export const relabelled = (from: Label, { label }: Label): Change =>
  inEach('step', (step) => Object.assign(step, { label }), isOf(from));

/** Copies the first successful save of a session into the first step of this label. */
export function savedIn(label: Label): Change {
  return (entries) => {
    const save = entries.find(
      (each): each is ExchangeEntry =>
        each.kind === 'exchange' && each.facts.call?.method === SAVE && each.facts.reply?.result === true,
    );
    const step = entries.find((each) => each.kind === 'step' && isOf(label)(each));
    if (!save || !step) return;
    entries.splice(entries.indexOf(step) + 1, 0, { ...save, at: step.at, step: step.seq });
  };
}

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
      const own = copied(each);
      if (own.facts.call?.ttl !== undefined) own.facts.call.ttl = of(own.facts.call.ttl);
      return [own];
    });
  return [
    change(() => []),
    change((each) => Array.from({ length: 12 }, () => ({ ...each }))),
    withTtl((ttl) => ttl + 10),
    withTtl(() => 0),
  ];
}
