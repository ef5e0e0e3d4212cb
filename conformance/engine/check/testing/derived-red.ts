/** For tests: finds a small change to a right party's journal that makes a check fail. */
import type { Entry, ExchangeEntry, Label, Link, ObservationEntry } from '../../journal/entry.ts';
import { TO_CLIENT } from '../../journal/secrets/secrets-to-client.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import type { Check } from '../check.ts';
import { copyOf } from './copies.ts';
import { answers, type Change, callsIn, endings, observations } from './label-changes.ts';

/** What a check looked at while it judged a journal. */
type LookedAt = {
  labels: Map<string, Label>;
  calls: Map<string, { link: Link; method: string | undefined }>;
  /** Labels under which it looks for observations of any scenario. */
  notes: Set<string>;
};

/** A journal that notes which steps and messages it is asked for. */
class NotingView extends JournalView {
  readonly lookedAt: LookedAt = { labels: new Map(), calls: new Map(), notes: new Set() };
  override steps(label: Label): PlayedStep[] {
    this.lookedAt.labels.set(`${label.scenario} ${label.label}`, label);
    return super.steps(label);
  }
  override stepsOf(scenario: { id: string }): PlayedStep[] {
    const steps = super.stepsOf(scenario);
    for (const { step } of steps) this.lookedAt.labels.set(`${step.scenario} ${step.label}`, step);
    return steps;
  }
  override allSteps(name?: PlayedStep['step']['step']): PlayedStep[] {
    const steps = super.allSteps(name);
    for (const { link, facts } of steps.flatMap(({ exchanges }) => exchanges)) {
      const method = facts.call?.method;
      if (method !== undefined) this.lookedAt.calls.set(`${link} ${method}`, { link, method });
    }
    return steps;
  }
  override observationsOf(label: string): ObservationEntry[] {
    this.lookedAt.notes.add(label);
    return super.observationsOf(label);
  }
  override exchanges(link: Link, method?: string): ExchangeEntry[] {
    this.lookedAt.calls.set(`${link} ${method}`, { link, method });
    return super.exchanges(link, method);
  }
}

/** Changes one call, or all of them: leaves it out, lets it be refused, repeats it, gives it other values. */
function calls({ link, method }: { link: Link; method: string | undefined }): Change[] {
  const isMeant = (entry: Entry): entry is ExchangeEntry =>
    entry.kind === 'exchange' &&
    entry.link === link &&
    (method === undefined || entry.facts.call?.method === method);
  const inEach = (change: (entry: ExchangeEntry) => void, most = Number.POSITIVE_INFINITY): Change => {
    return (entries) => {
      for (const entry of entries.filter(isMeant).slice(0, most)) change(entry);
    };
  };
  const named = (values: Partial<NonNullable<ExchangeEntry['facts']['call']>>) => (entry: ExchangeEntry) => {
    if (entry.facts.call) Object.assign(entry.facts.call, values);
  };
  const each: ((entry: ExchangeEntry) => void)[] = [
    (entry) => Object.assign(entry, { link: 'auth->sms' }),
    (entry) => Object.assign(entry.facts, { reply: { result: false, code: -33000 } }),
    named({ token: '‹session-token 0›' }),
    named({ exchangeToken: '‹exchange-token 0›' }),
    named({ user: '‹user 0›' }),
    (entry) => delete entry.facts.digest,
    (entry) => Object.assign(entry, { endedAt: entry.endedAt + 1_000_000 }),
    named({ method: 'patient.get_patient' }),
    ({ facts }) => {
      for (const each of Object.values(facts.fresh ?? {})) each.bits = 1;
    },
    (entry) => Object.assign(entry.facts, { besideBody: ['the session token in the path'] }),
    ...Object.values(TO_CLIENT).map((told) => (entry: ExchangeEntry) => {
      entry.facts.toClient = [told];
    }),
    (entry) => Object.assign(entry.facts, { toClient: ['a code that is not confirmed yet in the body'] }),
    (entry) => Object.assign(entry.response ?? {}, { status: 404 }),
    (entry) => Object.assign(entry.response ?? {}, { body: 'Traceback (most recent call last):' }),
    (entry) => Object.assign(entry.request, { body: '{"internalUserId":1}' }),
    (entry) => Object.assign(entry.request, { body: '{"params":{"note":"‹exchange-token 1›"}}' }),
    (entry) => Object.assign(entry.request, { path: '/1.0-alpha/?token=‹session-token 1›' }),
    (entry) => Object.assign(entry.request, { headers: [['authorization', 'Bearer ‹session-token 1›']] }),
    (entry) => Object.assign(entry.facts, { patientData: ['surname in the request body, plain'] }),
  ];
  const repeated: Change = (entries) => {
    const meant = entries.find(isMeant);
    if (meant)
      entries.splice(entries.indexOf(meant) + 1, 0, ...Array.from({ length: 12 }, () => ({ ...meant })));
  };
  const doubled: Change = (entries) =>
    void entries.splice(
      0,
      entries.length,
      ...entries.flatMap((each): Entry[] => (isMeant(each) ? [each, { ...each }] : [each])),
    );
  return [
    ...each.map((change) => inEach(change, 1)),
    ...each.map((change) => inEach(change)),
    repeated,
    doubled,
  ];
}

/** Lets the kit note a fault under this label. */
function noted(label: string): Change {
  return (entries) => {
    const { seq = 0, at = 0 } = entries.find(({ kind }) => kind === 'exchange') ?? {};
    const values = { to: 'ehr', method: 'a call', what: 'it is wrong' };
    entries.push({ kind: 'observation', seq, at, scenario: '', label, values });
  };
}

/** Gives the steps of one label the label of another. */
function relabelled(from: Label, to: Label): Change {
  return (entries) => {
    for (const entry of entries)
      if (entry.kind === 'step' && entry.scenario === from.scenario && entry.label === from.label)
        Object.assign(entry, { label: to.label });
  };
}

/** Lets a save that another step caused come in the steps of this label. */
function savedIn({ scenario, label }: Label): Change {
  return (entries) => {
    const save = entries.find(
      (each): each is ExchangeEntry =>
        each.kind === 'exchange' && each.facts.call?.method === SAVE && each.facts.reply?.result === true,
    );
    const step = entries.find(
      (each) => each.kind === 'step' && each.scenario === scenario && each.label === label,
    );
    if (!save || !step) return;
    entries.splice(entries.indexOf(step) + 1, 0, { ...save, at: step.at, step: step.seq });
  };
}

const SAVE = 'embedded_storage.save_auth_info';

/** Removes all saves of sessions. */
const unsaved: Change = (entries) => {
  for (const entry of entries)
    if (entry.kind === 'exchange' && entry.facts.call?.method === SAVE)
      Object.assign(entry, { link: 'auth->sms' });
};

const dies: Change = (entries) => {
  const last = entries.at(-1);
  if (last)
    entries.push({
      kind: 'server',
      seq: last.seq + 1,
      at: last.at,
      event: 'died',
      ended: 'ended with code 1',
    });
};

const YEAR_MINUTES = 525_600;

/** A change of each entry of a kind. */
const ofKind =
  <K extends Entry['kind']>(kind: K, change: (entry: Extract<Entry, { kind: K }>) => void): Change =>
  (entries) => {
    for (const entry of entries) if (entry.kind === kind) change(entry as Extract<Entry, { kind: K }>);
  };

/** Changes of the whole journal, for checks that compare what many steps yielded. */
const WHOLE: readonly Change[] = [
  ofKind('outcome', (entry) => Object.assign(entry, { result: { kind: 'done', values: {} } })),
  ofKind('observation', ({ values }) => {
    for (const [name, value] of Object.entries(values))
      if (typeof value === 'number') values[name] = value + 1;
  }),
  ofKind('code', (entry) => Object.assign(entry, { code: 'the same' })),
  ofKind('code', ({ facts }) => Object.assign(facts, { length: 1, digits: true, step: 1, tenth: 0 })),
  ofKind('exchange', ({ facts: { call } }) => {
    if (call?.ttl !== undefined) call.ttl = 100 * YEAR_MINUTES;
  }),
  ofKind('exchange', ({ facts: { call } }) => {
    if (call) Object.assign(call, { params: {}, authInfo: {}, cred: {}, jsonrpc: '1.0', idType: 'null' });
  }),
  ofKind('exchange', ({ facts }) => Object.assign(facts, { inClear: ['the internal password in the body'] })),
  ofKind('exchange', ({ response }) => response && Object.assign(response, { headers: [] })),
  ofKind('exchange', ({ request, response }) => {
    const [, origin] = request.headers.find(([name]) => name.toLowerCase() === 'origin') ?? [];
    if (!response || origin === undefined) return;
    response.headers = allowing(origin);
    request.headers.push(['cookie', 'session=1']);
  }),
];

/** The headers that let a page read an answer with the cookies of its user. */
const allowing = (origin: string): [string, string][] => [
  ['access-control-allow-origin', origin],
  ['access-control-allow-credentials', 'true'],
];

/** More labels than most checks look at; pairs of more would take long. */
const MAX_PAIRED = 8;

/** Whether a check fails. */
export type Fails = (entries: readonly Entry[]) => boolean;

/**
 * Finds a change after which the check fails: of a step it looks at, of a message, or of the whole journal.
 * @returns the changed entries; undefined when none of the changes is seen by the check
 */
export function derivedRed(check: Check, entries: readonly Entry[], fails: Fails): Entry[] | undefined {
  const view = new NotingView(entries);
  check.judge(view);
  const labels = [...view.lookedAt.labels.values()];
  const small = [
    ...labels.flatMap((label) => [...endings(label), ...observations(label), ...answers(label)]),
    ...[...view.lookedAt.notes].map(noted),
    ...[...view.lookedAt.calls.values()].flatMap(calls),
    ...WHOLE,
    ...labels.map(savedIn),
    ...(labels.length > MAX_PAIRED ? [] : labels).flatMap((from) => labels.map((to) => relabelled(from, to))),
    unsaved,
    dies,
    ...labels.flatMap(callsIn),
  ];
  for (const change of small) {
    const changed = copyOf(entries);
    change(changed);
    if (fails(changed)) return changed;
  }
  return undefined;
}
