/**
 * Puts what a tap collected of one scenario into the form of a case whose script acts as a person: the steps
 * in their order, each with what the person saw then, and with the calls that the party made meanwhile.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { ExchangeEntry, OutcomeEntry, StepEntry } from '../../journal/entry.ts';
import type { Note, Tapped } from '../tap.ts';
import type { Acts, GivenValue, Inner, Sides, Trace, TracedCall } from '../trace/traced-call.ts';
import { CODE, NOTE } from './labels.ts';

/** Makes the trace of one scenario. */
export function actedTraceOf(tapped: Tapped, scenario: string, sides: Sides & { acts: Acts }): Trace {
  const steps = tapped.entries.filter(
    (entry): entry is StepEntry => entry.kind === 'step' && entry.scenario === scenario,
  );
  const own = tapped.notes.filter((note) => note.scenario === scenario);
  const notes = own.filter(({ what }) => what !== CODE);
  const placed = [
    ...steps.map((step) => ({ at: step.seq, call: stepOf(step, tapped, sides.acts) })),
    ...notes.map((note) => ({ at: note.after + 0.5, call: noteOf(note, sides.acts) })),
  ].sort((a, b) => a.at - b.at);
  const calls = placed.map(({ call }) => call);
  addCodes(
    placed,
    own.filter(({ what }) => what === CODE),
  );
  addGiven(calls);
  const names = namesOf(calls);
  return { calls: keyed(calls), names, invented: new Set(), internal: tapped.internal, sides };
}

function stepOf(
  { seq, label, step, scenario }: StepEntry,
  { entries, acted }: Tapped,
  acts: Acts,
): TracedCall {
  const outcome = entries.find(
    (entry): entry is OutcomeEntry => entry.kind === 'outcome' && entry.step === seq,
  );
  const inner: Inner[] = [];
  const seqs = [seq];
  for (const entry of entries) {
    const isOwn = entry.kind === 'exchange' && entry.step === seq && entry.facts.stray === undefined;
    const isWithin = entry.seq > seq && entry.seq < (outcome?.seq ?? Number.POSITIVE_INFINITY);
    if (isOwn) inner.push(innerOf(entry));
    const isNoted = entry.kind === 'observation' && entry.scenario === scenario && isWithin;
    if (isNoted && entry.label === acts.elsewhere) inner.push(ELSEWHERE);
    if (isOwn || isNoted) seqs.push(entry.seq);
  }
  const { actions = [], answers = [], hidden = new Map<string, string>() } = acted.get(seq) ?? {};
  const body = JSON.stringify(answers.at(-1) ?? {});
  const result = outcome?.result;
  const headers: [string, string][] = [...hidden];
  if (answers.length > 1) headers.push(['all', answers.map((each) => screenIn(each)).join()]);
  return {
    ...{ key: '', label, user: '', step, link: 'person', result, broke: undefined, phone: undefined },
    request: { method: '', path: step, headers: [], body: JSON.stringify(actions) },
    response: result?.kind === 'done' ? { status: 200, headers, body } : undefined,
    ...{ group: seq, pauseMs: 0, began: 0, ended: 0, inner, codes: [], seqs },
  };
}

const screenIn = (answer: unknown) => (isObject(answer) ? answer.sees : undefined);

const innerOf = ({ link, request, response, fault, broke, at, endedAt }: ExchangeEntry): Inner => ({
  ...{ link, request, response, fault, broke },
  took: endedAt - at,
  ended: endedAt,
});

/** The name by which a call elsewhere is counted. */
export const CALL_ELSEWHERE = 'a call elsewhere';

const ELSEWHERE: Inner = {
  request: { method: 'POST', path: '/', headers: [], body: JSON.stringify({ method: CALL_ELSEWHERE }) },
  ...{ response: undefined, fault: undefined, broke: undefined, took: 0, ended: 0 },
};

function noteOf({ after, what, args }: Note, acts: Acts): TracedCall {
  return {
    ...{ key: '', label: acts.notes[what] ?? what, user: '', step: 'helper', link: 'helper' },
    request: { method: '', path: NOTE + what, headers: [], body: JSON.stringify(args) },
    ...{ response: undefined, broke: undefined, result: undefined, phone: undefined },
    ...{ group: -after, pauseMs: 0, began: 0, ended: 0, inner: [], codes: [], seqs: [] },
  };
}

/** Gives each call its key, and a group of its own. */
function keyed(calls: readonly TracedCall[]): TracedCall[] {
  const counts = new Map<string, number>();
  return calls.map((call, index) => {
    const count = (counts.get(call.label) ?? 0) + 1;
    counts.set(call.label, count);
    return { ...call, key: count === 1 ? call.label : `${call.label} (${count})`, group: index };
  });
}

/** Adds each code to the last step before it in which one was asked for, for the same phone. */
function addCodes(placed: readonly { at: number; call: TracedCall }[], notes: readonly Note[]): void {
  for (const { after, args } of notes) {
    const [code, phone] = args.map(String) as [string, string];
    const before = placed.filter(({ at, call }) => at <= after && call.link === 'person');
    const codes = before.findLast(({ call }) => call.inner.some((each) => asksFor(phone, each)))?.call.codes;
    if (codes?.every((each) => each.code !== code)) codes.push({ code, phone });
  }
}

function asksFor(phone: string, { request }: Inner): boolean {
  const call = tryJson(request.body)?.value;
  const isAsking = isObject(call) && call.method === 'auth.request_otp' && isObject(call.params);
  return isAsking && String((call.params as { phone?: unknown }).phone).replace(/\D/g, '') === phone;
}

/** Members of replies with a value that a server has drawn. */
const DRAWN = /"(user|token|exchangeToken|user_sign)":"((?:[^"\\]|\\.)+)"/g;

/** Adds to each step what the servers gave for the first time in it. */
function addGiven(calls: readonly TracedCall[]): void {
  const known = new Set<string>();
  for (const call of calls) {
    const values = call.inner
      .flatMap(({ response }) => [...(response?.body ?? '').matchAll(DRAWN)])
      .map(([, member = '', text = '']) => ({ member, value: String(JSON.parse(`"${text}"`)) }))
      .filter(({ value }) => !known.has(value) && known.add(value));
    const all = [...values, ...call.codes.map(({ code }) => ({ member: 'code', value: code }))];
    const given = all.map((each, index): GivenValue => {
      const later = all.slice(index + 1).filter(({ member }) => member === each.member);
      return { ...each, back: later.length };
    });
    // The codes are among them, so that the script takes all from one place.
    Object.assign(call, { given, codes: [] });
  }
}

/** Names what was given: `token`, `token 2`. A token with odd signs is known without them, too. */
function namesOf(calls: readonly TracedCall[]): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { member, value } of calls.flatMap(({ given = [] }) => given)) {
    const count = (counts.get(member) ?? 0) + 1;
    counts.set(member, count);
    const name = count === 1 ? member : `${member} ${count}`;
    names.set(value, name);
    const plain = value.split(' ')[0] ?? '';
    if (!names.has(plain)) names.set(plain, name);
  }
  return names;
}
