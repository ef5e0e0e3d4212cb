/** Names the values of a trace so that the trace of another party has the same names. */
import { tryJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry, OutcomeEntry, StepEntry } from '../../journal/entry.ts';
import { leavesOf } from '../facts/leaves.ts';
import type { Tapped } from '../tap.ts';
import { inventedIn } from '../text/drawn-values.ts';
import type { TracedCall } from './traced-call.ts';

/** Names the values that the kit invented for its calls, and the signatures that came of them. */
export function drawnNames(calls: readonly TracedCall[], internalUser: string): [string, string][] {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const add = (member: string, value: string) => {
    if (names.has(value) || value === internalUser) return;
    const count = (counts.get(member) ?? 0) + 1;
    counts.set(member, count);
    names.set(value, `${member} ${count}`);
  };
  for (const call of calls) {
    for (const { member, value } of inventedIn(call)) add(member, value);
    const [, sign] = /"user_sign":"([^"]{8,})"/.exec(call.response?.body ?? '') ?? [];
    if (sign !== undefined) add('user_sign', sign);
  }
  return [...names];
}

/** Names the long texts that a call sends and no earlier value explains, such as a signature of nobody. */
export function inventedNames(
  calls: readonly TracedCall[],
  names: ReadonlyMap<string, string>,
): [string, string][] {
  const found = new Map<string, string>();
  const answers: string[] = [];
  for (const { key, request, response } of calls) {
    for (const { pointer, value } of leavesOf(tryJson(request.body)?.value))
      if (typeof value === 'string' && value.length >= MIN_INVENTED_CHARS && !names.has(value))
        if (!answers.some((each) => each.includes(value)) && !found.has(value))
          found.set(value, `${pointer.split('/').at(-1)} of "${key}"`);
    answers.push(response?.body ?? '');
  }
  return [...found];
}

/** A shorter text stands in other messages by chance, and tells nothing there. */
const MIN_INVENTED_CHARS = 24;

/** Names the values that steps yielded. A value that came twice keeps its first name. */
export function namesOf(
  steps: ReadonlyMap<number, StepEntry>,
  outcomes: ReadonlyMap<number, OutcomeEntry>,
  { codes, phones }: Tapped,
  exchanges: readonly ExchangeEntry[],
): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const add = (name: string, value: string | undefined) => {
    if (value === undefined || value.length < 4 || names.has(value)) return;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    names.set(value, count === 1 ? name : `${name} ${count}`);
  };
  for (const [seq, { user }] of steps) {
    add(`phone of ${user}`, phones.get(seq));
    const result = outcomes.get(seq)?.result;
    const values = result?.kind === 'done' ? result.values : {};
    for (const name of ['user', 'token', 'exchangeToken'] as const) add(`${name} of ${user}`, values[name]);
    for (const { step, link, response } of exchanges)
      if (step === seq && link === 'client->ehr')
        add(`user_sign of ${user}`, /"user_sign":"([^"]+)"/.exec(response?.body ?? '')?.[1]);
  }
  for (const { code, phone } of codes) add(`code of ${names.get(phone) ?? 'a phone'}`, code);
  return names;
}
