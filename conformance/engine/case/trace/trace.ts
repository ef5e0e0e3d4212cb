/**
 * Puts what a tap collected of one scenario into the form of a case: the calls in their order, each with its
 * answer, with what the party under test did meanwhile, and with the codes that came of it.
 */
import { attributionOf } from '../../journal/attribution.ts';
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry, StepResult } from '../../journal/entry.ts';
import { GATEWAY_FAILS, type HelperRequest, type Tapped } from '../tap.ts';
import { drawnNames, inventedNames, namesOf } from './names.ts';
import type { Inner, Sides, Trace, TracedCall } from './traced-call.ts';

/** A pause of the kit that is longer (ms) was no accident. */
const MIN_PAUSE_MS = 1_500;

/** Makes the trace of one scenario. `masked` are the entries of the same run as the journal keeps them. */
export function traceOf(tapped: Tapped, masked: readonly Entry[], scenario: string, sides: Sides): Trace {
  const steps = new Map<number, StepEntry>();
  const outcomes = new Map<number, OutcomeEntry>();
  for (const entry of tapped.entries) {
    if (entry.kind === 'step' && entry.scenario === scenario) steps.set(entry.seq, entry);
    if (entry.kind === 'outcome') outcomes.set(entry.step, entry);
  }
  const exchanges = tapped.entries.filter(
    (entry): entry is ExchangeEntry => entry.kind === 'exchange' && entry.facts.stray === undefined,
  );
  const [begin = 0, end = Number.POSITIVE_INFINITY] = tapped.entries.flatMap((entry) =>
    entry.kind === 'scenario' && entry.scenario === scenario ? [entry.seq] : [],
  );
  const groups = groupsOf(tapped.entries, scenario);
  const placed = exchanges.flatMap((entry) => {
    const step = entry.step === undefined ? undefined : steps.get(entry.step);
    if (!step || !sides.calls.includes(entry.link)) return [];
    const call = callOf(entry, step, outcomes.get(step.seq)?.result, tapped);
    return [{ at: entry.seq, began: entry.at, ended: entry.endedAt, group: groups.get(step.seq) ?? 0, call }];
  });
  const helpers = tapped.helpers.flatMap(({ after, request }) =>
    after > begin && after < end
      ? [{ at: after + 0.5, began: 0, ended: 0, group: -after, call: helperCall(request) }]
      : [],
  );
  const all = [...placed, ...helpers].sort((a, b) => a.at - b.at);
  const inner = exchanges.filter(({ seq, link }) => !sides.calls.includes(link) && seq > begin && seq < end);
  const attributed = attributionOf(masked);
  for (const each of inner) {
    const step = attributed.get(each.seq)?.seq;
    const before = all.filter(({ at, call }) => at < each.seq && call.link !== 'helper');
    const own = before.findLast(({ call }) => call.seqs[0] === step);
    const { call } = own ?? before.at(-1) ?? {};
    call?.inner.push(innerOf(each));
    call?.seqs.push(each.seq);
  }
  for (const { seq, ...code } of tapped.codes) {
    const before = all.filter(({ at, call }) => at < seq && call.link !== 'helper');
    const own = before.findLast(({ call }) => call.step === 'requestOtp' && call.phone === code.phone);
    const { call } = own ?? before.at(-1) ?? {};
    call?.codes.push(code);
    call?.seqs.push(seq);
  }
  addGateway(all, tapped);
  const calls = named(all);
  const drawn = sides.party.includes('client->ehr') ? drawnNames(calls, tapped.internal.user) : [];
  const names = new Map([...drawn, ...namesOf(steps, outcomes, tapped, exchanges)]);
  const invented = sides.party.includes('client->ehr') ? [] : inventedNames(calls, names);
  for (const [value, name] of invented) names.set(value, name);
  return {
    ...{ calls, names, invented: new Set(invented.map(([value]) => value)) },
    ...{ internal: tapped.internal, sides },
  };
}

/** Notes during which request for a code the SMS gateway fails: the next one for the phone. */
function addGateway(all: readonly { at: number; call: TracedCall }[], { notes }: Tapped): void {
  for (const { after, what, args } of notes) {
    if (what !== GATEWAY_FAILS) continue;
    const next = all.find(
      ({ at, call }) => at > after && call.step === 'requestOtp' && call.phone === args[0],
    );
    if (next) next.call.gateway = String(args[1]);
  }
}

/** Puts steps into groups: those that began before any other of their group had ended were played at once. */
function groupsOf(entries: readonly Entry[], scenario: string): Map<number, number> {
  const groups = new Map<number, number>();
  let group = 0;
  let isEnded = true;
  for (const entry of entries) {
    if (entry.kind === 'outcome' && groups.get(entry.step) === group) isEnded = true;
    if (entry.kind !== 'step' || entry.scenario !== scenario) continue;
    if (isEnded) group = entry.seq;
    isEnded = false;
    groups.set(entry.seq, group);
  }
  return groups;
}

function callOf(
  { link, request, response, broke, seq }: ExchangeEntry,
  { label, user, step, seq: stepSeq }: StepEntry,
  result: StepResult | undefined,
  { phones, sent }: Tapped,
): TracedCall {
  const { to: path = request.path, body = request.body } = sent.get(stepSeq) ?? {};
  return {
    ...{ key: '', label, user, step, link, response, broke, result, group: 0, pauseMs: 0, inner: [] },
    ...{ began: 0, ended: 0 },
    request: { method: request.method, path, headers: sentHeaders(request.headers), body },
    ...{ codes: [], phone: phones.get(stepSeq), seqs: [stepSeq, seq] },
  };
}

function helperCall({ method, url, headers, body = '' }: HelperRequest): TracedCall {
  const request = { method, path: url, headers: sentHeaders(headers), body };
  const about = { key: '', user: '', link: 'helper', step: 'helper', group: 0 } as const;
  const times = { pauseMs: 0, began: 0, ended: 0 };
  const none = { response: undefined, broke: undefined, result: undefined, phone: undefined };
  return { ...about, ...times, ...none, label: 'helper', request, inner: [], codes: [], seqs: [] };
}

function innerOf({ request, response, fault, broke, at, endedAt }: ExchangeEntry): Inner {
  return { request, response, fault, broke, took: endedAt - at, ended: endedAt };
}

/** Headers that say nothing of a call: of the connection, of the kit, of the library that sent it. */
const NOT_SENT =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|accept-language|sec-fetch-mode|traceparent|keep-alive|transfer-encoding|expect)$/i;

const sentHeaders = (headers: readonly [string, string][]): [string, string][] =>
  headers.filter(([name]) => !NOT_SENT.test(name) && !name.toLowerCase().startsWith('x-kit-'));

type Placed = { began: number; ended: number; group: number; call: TracedCall };

/** Gives each call its key, its group and the pause before it. */
function named(all: readonly Placed[]): TracedCall[] {
  const counts = new Map<string, number>();
  const users = new Map<string, Set<string>>();
  for (const { call } of all) users.set(call.label, (users.get(call.label) ?? new Set()).add(call.user));
  let ended = Number.NaN;
  return all.map(({ call, group, began, ended: until }) => {
    const isShared = (users.get(call.label)?.size ?? 0) > 1 && !call.label.includes(call.user);
    const name = isShared ? `${call.label}, ${call.user}` : call.label;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const gap = began - ended;
    const isPause = gap > MIN_PAUSE_MS && call.link !== 'helper';
    if (call.link !== 'helper') ended = until;
    const key = count === 1 ? name : `${name} (${count})`;
    return { ...call, key, group, began, ended: until, pauseMs: isPause ? gap : 0 };
  });
}
