/**
 * Puts what a tap collected of one scenario into the form of a case: the calls in their order, each with its
 * answer, with what the party under test did meanwhile, and with the codes that came of it.
 */
import { attributionOf } from '../journal/attribution.ts';
import type { Entry, ExchangeEntry, Link, OutcomeEntry, StepEntry, StepResult } from '../journal/entry.ts';
import { inventedIn } from './drawn-values.ts';
import type { Fact } from './fact.ts';
import type { HelperRequest, Tapped } from './tap.ts';

export type Message = Pick<ExchangeEntry['request'], 'method' | 'path' | 'headers' | 'body'>;

/** A call of the party under test to a server that the script plays. */
export type Inner = {
  /** Where it went; known where the party calls two servers. */
  link?: Link;
  request: Message;
  response: ExchangeEntry['response'];
  /** The fault with which the server answered, and how the connection broke. */
  fault: ExchangeEntry['fault'];
  broke: ExchangeEntry['broke'];
  took: number;
};

/** One call that the script makes. */
export type TracedCall = {
  /** Names the call in both traces that are compared: the label of its step, and which of that label. */
  key: string;
  label: string;
  user: string;
  step: StepEntry['step'] | 'helper';
  /**
   * The two parties of the call. `helper`: the address of the request is whole. `person`: no call, but what a
   * person does with the party; the body of the request has the actions, and the answer is what they see.
   */
  link: Link | 'helper' | 'person';
  request: Message;
  response: ExchangeEntry['response'];
  broke: ExchangeEntry['broke'];
  result: StepResult | undefined;
  /** Calls of one group are sent at the same moment. */
  group: number;
  /** How long (ms) the kit waited before it, where that counts. */
  pauseMs: number;
  inner: Inner[];
  codes: { code: string; phone: string }[];
  /** What the servers of the script gave to the party meanwhile, where the script is not told it. */
  given?: readonly GivenValue[];
  phone: string | undefined;
  /** `seq` of the step and of the exchange. */
  seqs: readonly number[];
};

/** A value of a server of the script: the newest of its member but `back` others in this call. */
export type GivenValue = { member: string; value: string; back: number };

export type Trace = {
  calls: readonly TracedCall[];
  /** Values by names that another party's trace has, too, such as `Mia.token`. */
  names: ReadonlyMap<string, string>;
  internal: Tapped['internal'];
  sides: Sides;
};

/** On which links of the journal the script calls, and which of these lead to the party under test. */
export type Sides = {
  readonly calls: readonly Link[];
  readonly party: readonly TracedCall['link'][];
  /** For a party that makes all calls itself: the script acts as a person, and is both servers. */
  readonly acts?: Acts;
};

/** What is known of a party that is acted with. */
export type Acts = {
  /** The methods that it may call. */
  readonly methods: readonly string[];
  /** Texts that are the same in each run, such as what people type. */
  readonly constants: readonly string[];
  /** What the kit notes between two actions, with the words for it. */
  readonly notes: Readonly<Record<string, string>>;
  /** The label of an observation that the party called an address elsewhere, which is counted as a call. */
  readonly elsewhere: string;
  /** Further facts of a trace. */
  facts(trace: Trace): Fact[];
};

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
  const groups = groupsOf([...steps.keys()]);
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
    (own ?? before.at(-1))?.call.inner.push(innerOf(each));
  }
  for (const { seq, ...code } of tapped.codes) {
    const before = all.filter(({ at, call }) => at < seq && call.link !== 'helper');
    const own = before.findLast(({ call }) => call.step === 'requestOtp' && call.phone === code.phone);
    (own ?? before.at(-1))?.call.codes.push(code);
  }
  const calls = named(all);
  const drawn = sides.party.includes('client->ehr') ? drawnNames(calls, tapped.internal.user) : [];
  return {
    calls,
    names: new Map([...drawn, ...namesOf(steps, outcomes, tapped, exchanges)]),
    internal: tapped.internal,
    sides,
  };
}

/** Steps that began one directly after the other are one group: they are sent at once. */
function groupsOf(seqs: readonly number[]): Map<number, number> {
  const groups = new Map<number, number>();
  let before = Number.NaN;
  let group = 0;
  for (const seq of seqs) {
    group = seq === before + 1 ? group : seq;
    groups.set(seq, group);
    before = seq;
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
    request: { method: request.method, path, headers: sentHeaders(request.headers), body },
    ...{ codes: [], phone: phones.get(stepSeq), seqs: [stepSeq, seq] },
  };
}

function helperCall({ method, url, headers, body = '' }: HelperRequest): TracedCall {
  const request = { method, path: url, headers: sentHeaders(headers), body };
  const about = { key: '', user: '', link: 'helper', step: 'helper', group: 0, pauseMs: 0 } as const;
  const none = { response: undefined, broke: undefined, result: undefined, phone: undefined };
  return { ...about, ...none, label: 'helper', request, inner: [], codes: [], seqs: [] };
}

function innerOf({ request, response, fault, broke, at, endedAt }: ExchangeEntry): Inner {
  return { request, response, fault, broke, took: endedAt - at };
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
  let ended = Number.NaN;
  return all.map(({ call, group, began, ended: until }) => {
    const count = (counts.get(call.label) ?? 0) + 1;
    counts.set(call.label, count);
    const gap = began - ended;
    const isPause = gap > MIN_PAUSE_MS && call.link !== 'helper';
    if (call.link !== 'helper') ended = until;
    const key = count === 1 ? call.label : `${call.label} (${count})`;
    return { ...call, key, group, pauseMs: isPause ? gap : 0 };
  });
}

/** Names the values that the kit invented for its calls, and the signatures that came of them. */
function drawnNames(calls: readonly TracedCall[], internalUser: string): [string, string][] {
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

/** Names the values that steps yielded. A value that came twice keeps its first name. */
function namesOf(
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
