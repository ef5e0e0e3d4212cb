/** Answers what checks ask of a journal: which steps, messages, deaths of the server and delays it has. */

import { isLeftByKit } from './attribution.ts';
import type {
  CodeEntry,
  Entry,
  EntryOf,
  ExchangeEntry,
  Label,
  Link,
  ObservationEntry,
  ScenarioEntry,
  ServerEntry,
  SilenceEntry,
  StepEntry,
} from './entry.ts';
import { groupBy } from './group-by.ts';
import { lastAttempts, type PlayedStep, playedSteps } from './played-steps.ts';

export type { PlayedStep };

export class JournalView {
  /** All entries, except those of earlier attempts of a scenario that was played again. */
  readonly entries: readonly Entry[];
  readonly #byKind: ReadonlyMap<Entry['kind'], readonly Entry[]>;
  readonly #steps: PlayedStep[];
  readonly #byLabel: ReadonlyMap<string, PlayedStep[]>;
  /** Key: the `seq` of an exchange. */
  readonly #stepOf: ReadonlyMap<number, PlayedStep>;

  constructor(entries: readonly Entry[]) {
    this.entries = lastAttempts(entries);
    this.#byKind = groupBy(this.entries, ({ kind }) => kind);
    this.#steps = playedSteps(this.entries);
    this.#byLabel = groupBy(this.#steps, ({ step }) => keyOf(step));
    this.#stepOf = new Map(
      this.#steps.flatMap((played) => played.exchanges.map(({ seq }) => [seq, played] as const)),
    );
  }

  #ofKind<Kind extends Entry['kind']>(kind: Kind): readonly EntryOf<Kind>[] {
    return (this.#byKind.get(kind) ?? []) as EntryOf<Kind>[];
  }

  /** Exchanges on a link, optionally of one JSON-RPC method, in order. Strays (of no party) are left out. */
  exchanges(link: Link, method?: string): ExchangeEntry[] {
    return this.#ofKind('exchange').filter(
      (entry) =>
        entry.link === link &&
        entry.facts.stray === undefined &&
        (method === undefined || entry.facts.call?.method === method),
    );
  }

  /** JSON-RPC calls of the authorization server to the EHR server. */
  get internalCalls(): ExchangeEntry[] {
    return this.exchanges('auth->ehr').filter(({ facts }) => facts.call !== undefined);
  }

  areMessages(evidence: readonly number[]): boolean {
    const messages = new Set(this.#ofKind('exchange').map(({ seq }) => seq));
    return evidence.every((seq) => messages.has(seq));
  }

  /** The step that caused an exchange; undefined: none is known. */
  stepOf({ seq }: ExchangeEntry): PlayedStep | undefined {
    return this.#stepOf.get(seq);
  }

  /** Steps of this label that ended, in order. */
  steps(label: Label): PlayedStep[] {
    return this.#byLabel.get(keyOf(label)) ?? [];
  }

  step(label: Label): PlayedStep | undefined {
    return this.steps(label)[0];
  }

  /** All steps of a scenario that ended, in order. */
  stepsOf(scenario: { id: string }): PlayedStep[] {
    return this.#steps.filter(({ step }) => step.scenario === scenario.id);
  }

  /** All steps that ended: of one kind, or of every kind. */
  allSteps(name?: StepEntry['step']): PlayedStep[] {
    return this.#steps.filter(({ step }) => name === undefined || step.step === name);
  }

  /** What the kit measured or counted under this label, in order. */
  observations({ scenario, label }: Label): ObservationEntry[] {
    return this.#ofKind('observation').filter(
      (entry) => entry.scenario === scenario && entry.label === label,
    );
  }

  /** The observations under this label in all scenarios, in order. */
  observationsOf(label: string): ObservationEntry[] {
    return this.#ofKind('observation').filter((entry) => entry.label === label);
  }

  get codes(): readonly CodeEntry[] {
    return this.#ofKind('code');
  }

  get serverEvents(): readonly ServerEntry[] {
    return this.#ofKind('server');
  }

  get silences(): readonly SilenceEntry[] {
    return this.#ofKind('silence');
  }

  /** How a scenario ended; undefined when it is not in the journal. */
  ending(scenario: string): Pick<ScenarioEntry, 'stopped' | 'absent' | 'notPlayable'> | undefined {
    const own = this.#phasesOf(scenario);
    const brokenOff = { stopped: { because: 'the run was broken off', blame: 'environment' as const } };
    return own.find(({ phase }) => phase === 'end') ?? (own.length > 0 ? brokenOff : undefined);
  }

  #phasesOf(scenario: string): readonly ScenarioEntry[] {
    return this.#ofKind('scenario').filter((entry) => entry.scenario === scenario);
  }

  /** Whether a scenario began and did not end, or never began in a run that is not `finished`. */
  brokenOff(scenario: string, finished: boolean): boolean {
    const phases = this.#phasesOf(scenario).map(({ phase }) => phase);
    return phases.includes('begin') ? !phases.includes('end') : !finished;
  }

  /** Whether the kit gave up the server under test, which could not be reached any more. */
  get serverIsGone(): boolean {
    return this.serverEvents.some(({ event }) => event === 'unreachable');
  }

  /** The first death of the server under test during a scenario. */
  deathIn(scenario: string): ServerEntry | undefined {
    const { from, until } = this.#extentOf(scenario, 'seq');
    return this.serverEvents.find(({ event, seq }) => event === 'died' && seq > from && seq < until);
  }

  /** Whether all evidence comes from before the server's death, and no broken connection is among it. */
  isSound(evidence: readonly number[], death: ServerEntry): boolean {
    const isBroken = (entry: Entry) =>
      entry.kind === 'exchange' && entry.link === 'client->auth' && entry.broke !== undefined;
    const shown = this.entries.filter(({ seq }) => evidence.includes(seq));
    return shown.every((entry) => entry.seq < death.seq && !isBroken(entry));
  }

  /** Scenarios during which the server under test died while no other scenario was played. */
  get deadlyScenarios(): string[] {
    const alone = this.#ofKind('scenario').flatMap((entry) =>
      entry.phase === 'begin' && entry.alone ? [entry.scenario] : [],
    );
    return alone.filter((scenario) => this.deathIn(scenario) !== undefined);
  }

  /**
   * The HTTP 429 answers, if the server limits by address. It does if such an answer came to a request other
   * than for or with a one-time code. Empty: it does not.
   */
  get limited(): readonly ExchangeEntry[] {
    const limited = this.#ofKind('exchange').filter(
      ({ link, response }) => link === 'client->auth' && response?.status === TOO_MANY_REQUESTS,
    );
    const isOfAddress = (exchange: ExchangeEntry) =>
      UNLIMITED_STEPS.has(this.stepOf(exchange)?.step.step ?? '');
    return limited.some(isOfAddress) ? limited : [];
  }

  /** Whether the scenario stopped for this reason, at a step refused because of too many requests. */
  isStoppedByLimit(scenario: string, because: string): boolean {
    const result = this.stepsOf({ id: scenario }).at(-1)?.result;
    const isRefused = result?.kind === 'refused' && result.status === TOO_MANY_REQUESTS;
    return isRefused && this.ending(scenario)?.stopped?.because === because;
  }

  /** The duration (ms) of the step that begins or ends with the entry of this `seq`; 0: no step does. */
  tookAt(seq: number): number {
    return this.#ofKind('outcome').find((ended) => ended.step === seq || ended.seq === seq)?.took ?? 0;
  }

  /** Whether evidence shows that the server gave up or failed while the kit stood still for long. */
  isCutShort(evidence: readonly number[]): boolean {
    return this.entries.some((entry) => evidence.includes(entry.seq) && this.#mayBeCutShort(entry));
  }

  #mayBeCutShort(entry: Entry): boolean {
    if (entry.kind === 'outcome')
      return entry.result.kind === 'failed' && this.#wasSilent(entry.at - entry.took, entry.at);
    if (entry.kind !== 'exchange' || entry.fault !== undefined) return false;
    const { at, endedAt, link, broke, response } = entry;
    if (broke !== undefined) return this.#wasSilent(at - MAX_BACKLOG_MS, endedAt);
    return link === 'client->auth' && (response?.status ?? 0) >= 500 && this.#wasSilent(at, endedAt);
  }

  #wasSilent(from: number, until: number): boolean {
    return this.#silencesIn(from, until).reduce((sum, took) => sum + took, 0) > MAX_ANSWER_MS;
  }

  /** Whether a refusal stopped the scenario, and no call to the kit was answered late in that step. */
  isStoppedByRefusal(scenario: string): boolean {
    if (this.ending(scenario)?.stopped === undefined) return false;
    const last = this.stepsOf({ id: scenario }).at(-1);
    return last?.result.kind === 'refused' && !last.exchanges.some((exchange) => this.isKitLate(exchange));
  }

  /** Whether the kit is the reason why a call to its EHR server has no answer. */
  isKitLate(exchange: ExchangeEntry): boolean {
    const { seq } = exchange;
    return isLeftByKit(exchange) && (this.unansweredMs([seq]) > MAX_ANSWER_MS || this.isCutShort([seq]));
  }

  /** The longest time (ms) for which a call in the evidence waited for the kit, without injected fault. */
  unansweredMs(evidence: readonly number[]): number {
    const left = this.#ofKind('exchange').filter((each) => evidence.includes(each.seq) && isLeftByKit(each));
    return Math.max(0, ...left.map(({ at, endedAt }) => endedAt - at));
  }

  /** The longest time (ms) for which the kit stood still during a scenario; 0: it never did. */
  silenceIn(scenario: string): number {
    const { from, until } = this.#extentOf(scenario, 'at');
    return Math.max(0, ...this.#silencesIn(from, until));
  }

  #extentOf(scenario: string, unit: 'seq' | 'at'): { from: number; until: number } {
    const [from = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY] = this.#phasesOf(scenario).map(
      (phase) => phase[unit],
    );
    return { from, until };
  }

  /** How long (ms) the kit stood still, for each silence that overlaps this time. */
  #silencesIn(from: number, until: number): number[] {
    return this.silences.filter(({ at, took }) => at >= from && at - took <= until).map(({ took }) => took);
  }
}

const TOO_MANY_REQUESTS = 429;

/** The EHR server that the kit plays answers within this time (ms) unless the machine is overloaded. */
export const MAX_ANSWER_MS = 500;

/** A call that came while the kit stood still is recorded at most this long (ms) after the silence. */
const MAX_BACKLOG_MS = 5_000;

/** Steps that no server limits for one user. Requests for codes and attempts to guess are limited. */
const UNLIMITED_STEPS: ReadonlySet<string> = new Set(['exchangeToken', 'reportLink', 'logout', 'deleteUser']);

const keyOf = ({ scenario, label }: { scenario: string; label: string }) => `${scenario}\n${label}`;
