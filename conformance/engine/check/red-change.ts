/** Changes to a right server's journal that imitate what a wrong server would have left there. */

import type {
  Entry,
  ExchangeEntry,
  Facts,
  Label,
  Link,
  ObservationEntry,
  StepEntry,
  StepResult,
} from '../journal/entry.ts';
import { JournalView } from '../journal/view.ts';

/** A journal that may be changed in place. */
export type EditableJournal = {
  readonly entries: Entry[];
  /** Changes the result of every step with this label. */
  outcome(label: Label, result: StepResult): void;
  exchanges(link: Link, method?: string): ExchangeEntry[];
};

export type RedChange = (journal: EditableJournal) => void;

const SUCCESS = 'embedded_storage.save_auth_info';

export const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });
export const refused: StepResult = { kind: 'refused', status: 403 };
const crashed: StepResult = { kind: 'failed', what: 'server-error', detail: 'HTTP 500' };

/** Lets the step succeed although it must not. */
export const succeeds =
  (label: Label): RedChange =>
  ({ outcome }) =>
    outcome(label, done());

/** Lets the step end in a crash. */
export const crashes =
  (label: Label): RedChange =>
  ({ outcome }) =>
    outcome(label, crashed);

/** Lets the step end without an answer. */
export const timesOut =
  (label: Label): RedChange =>
  ({ outcome }) =>
    outcome(label, { kind: 'failed', what: 'timeout', detail: 'no answer' });

/** Lets the step succeed with an answer that calls the session linked. */
export const claimsLink =
  (label: Label): RedChange =>
  ({ entries, outcome, exchanges }) => {
    outcome(label, done());
    const own = entries.find((e) => e.kind === 'step' && e.scenario === label.scenario && e.label === label.label);
    const answer = first(exchanges('client->auth').filter(({ step }) => step === own?.seq));
    Object.assign(answer, { response: { status: 200, headers: [], body: '{"linked":true}' } });
  };

/** Gives all steps of one label another label. */
export const relabelled =
  (from: Label, to: Label): RedChange =>
  ({ entries }) => {
    const own = entries.filter((e) => e.kind === 'step' && e.scenario === from.scenario && e.label === from.label);
    first(own);
    for (const step of own) Object.assign(step, { label: to.label });
  };

/** Repeats the first call of a step so many times, each answered with `reply` where that is given. */
export const repeatedCall =
  (label: Label, times: number, reply?: Facts['reply']): RedChange =>
  ({ entries }) => {
    const { exchanges } = first(new JournalView(entries).steps(label));
    const meant = first(exchanges.filter(({ link }) => link === 'auth->ehr'));
    const again = { ...meant, facts: { ...meant.facts, ...(reply && { reply }) } };
    entries.splice(entries.indexOf(meant) + 1, 0, ...Array.from({ length: times }, () => again));
  };

/** Changes the first call to the EHR server, or the first of a method. */
export const call =
  (change: (exchange: ExchangeEntry) => void, method?: string): RedChange =>
  ({ exchanges }) =>
    change(first(exchanges('auth->ehr', method)));

/** Changes a fact of the first call. */
export const fact = (change: (facts: NonNullable<Facts['call']>) => void, method?: string): RedChange =>
  call(({ facts }) => change(facts.call as NonNullable<Facts['call']>), method);

/** Changes or removes the digest of the first call. */
export const digest = (change: NonNullable<Facts['digest']> | undefined, method?: string): RedChange =>
  call(({ facts }) => (change ? Object.assign(facts, { digest: change }) : delete facts.digest), method);

/** Gives all steps of one kind the same value. */
export const sameValue =
  (step: StepEntry['step'], name: string): RedChange =>
  ({ entries }) => {
    for (const entry of entries) {
      if (entry.kind !== 'outcome' || entry.result.kind !== 'done') continue;
      const own = entries.find(({ seq }) => seq === entry.step);
      if (own?.kind === 'step' && own.step === step)
        entry.result = done({ ...entry.result.values, [name]: '‹session-token 0›' });
    }
  };

/** Removes all saves of sessions. */
export const unsaved: RedChange = ({ exchanges }) => {
  for (const exchange of exchanges('auth->ehr', SUCCESS)) Object.assign(exchange, { link: 'auth->sms' });
};

/** Changes what the kit observed under this label. */
export const observed =
  ({ scenario, label }: Label, values: ObservationEntry['values']): RedChange =>
  ({ entries }) => {
    const own = entries.filter(
      (entry): entry is ObservationEntry =>
        entry.kind === 'observation' && entry.scenario === scenario && entry.label === label,
    );
    first(own);
    for (const entry of own) Object.assign(entry, { values: { ...entry.values, ...values } });
  };

export function first<T>(found: readonly T[]): T {
  const [one] = found;
  if (one === undefined) throw new Error('The journal has nothing of the kind.');
  return one;
}
