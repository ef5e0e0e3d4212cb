/** What made a verdict red, as the journal has it: the step that differs, its answer, its calls. */

import type { Finding, Verdict } from '../../check/verdict.ts';
import type { ExchangeEntry, ServerEntry } from '../../journal/entry.ts';
import type { JournalView, PlayedStep } from '../../journal/view.ts';
import { evidenceOf } from '../words.ts';

export type Symptom = {
  verdict: Verdict;
  /**
   * The server ended; a step was answered otherwise than it ought to be; another difference, which the check
   * tells in words; or nothing was there to be judged.
   */
  kind: 'ended' | 'answer' | 'difference' | 'nothing';
  /** Equal where the same difference shows. */
  key: string;
  /** The step that differs, which is the last that the check names. */
  step: PlayedStep | undefined;
  /** `seq` of the entry in which it shows. */
  at: number;
  /** How many steps of its scenario were played before: few for what is basic. */
  place: number;
  /** How many steps must be looked at together. */
  width: number;
  /** The answer of the step, and of the calls that the check names, where it is no success. */
  answers: ReadonlySet<string>;
  /** The refusals of all calls in the steps that the check names. */
  refusals: ReadonlySet<string>;
  /** The kinds of the steps that the check names. */
  steps: ReadonlySet<string>;
  /** The calls that the check names. */
  calls: ReadonlySet<string>;
  evidence: ReadonlySet<number>;
  /** Whether the check is a rule of single messages, and names no step. */
  isOfMessages: boolean;
  /** The scenario that could not go on. */
  stopped: string | undefined;
};

/** Reads the symptoms of red verdicts from a journal. */
export class Symptoms {
  readonly #journal: JournalView;
  readonly #stepOf = new Map<number, PlayedStep>();
  readonly #place = new Map<PlayedStep, number>();
  /** The message of an entry: itself, or the one that a remark of the kit is about. */
  readonly #messageOf = new Map<number, ExchangeEntry>();

  constructor(journal: JournalView) {
    this.#journal = journal;
    const counts = new Map<string, number>();
    for (const played of journal.allSteps()) {
      const { scenario } = played.step;
      const place = counts.get(scenario) ?? 0;
      counts.set(scenario, place + 1);
      this.#place.set(played, place);
      // A check that names a message alone judges the message, not the step in which it crossed.
      for (const seq of [played.evidence[0], played.evidence.at(-1)])
        if (seq !== undefined) this.#stepOf.set(seq, played);
    }
    const latest = new Map<string, ExchangeEntry>();
    for (const entry of journal.entries) {
      if (entry.kind === 'exchange') latest.set(`${entry.scenario} ${entry.facts.call?.method}`, entry);
      if (entry.kind !== 'exchange' && entry.kind !== 'observation') continue;
      const message =
        entry.kind === 'exchange' ? entry : latest.get(`${entry.scenario} ${entry.values.method}`);
      if (message) this.#messageOf.set(entry.seq, message);
    }
  }

  of(verdict: Verdict): Symptom {
    const { finding } = verdict;
    const evidence = new Set(evidenceOf(finding));
    const stopped = this.#stopped(verdict);
    const named = stopped === undefined ? this.#stepsIn(evidence) : this.#lastOf(stopped);
    const step = named.at(-1);
    const single = [...evidence].flatMap((seq) => this.#messageOf.get(seq) ?? []);
    const messages = [...named.flatMap(({ exchanges }) => exchanges), ...single];
    const isOfMessages = finding.outcome === 'fail' && named.length === 0 && single.length > 0;
    const answer = step && answerOf(step);
    return {
      ...this.#what(finding, evidence, step),
      verdict,
      step,
      at: step?.step.seq ?? Math.min(...evidence),
      place: (step && this.#place.get(step)) ?? Number.POSITIVE_INFINITY,
      width: named.length,
      answers: new Set(
        [answer, ...(isOfMessages ? single.map(refusalOf) : [])].flatMap((each) => each ?? []),
      ),
      refusals: new Set(messages.flatMap((each) => refusalOf(each) ?? [])),
      steps: new Set(named.map((each) => each.step.step)),
      calls: new Set(messages.map(callOf)),
      evidence,
      isOfMessages,
      stopped,
    };
  }

  #what(
    finding: Finding,
    evidence: ReadonlySet<number>,
    step: PlayedStep | undefined,
  ): Pick<Symptom, 'kind' | 'key'> {
    const end = this.#endBefore(evidence);
    if (end) return { kind: 'ended', key: String(end.seq) };
    const answer = step && answerOf(step);
    if (finding.outcome === 'inconclusive') {
      if (answer !== undefined) return { kind: 'answer', key: answer };
      return { kind: step ? 'difference' : 'nothing', key: plain(finding.because) };
    }
    const { expected, actual } = finding as Finding & { outcome: 'fail' };
    if (answer !== undefined && isWordsOfAnswer(actual)) return { kind: 'answer', key: answer };
    const words = plain(actual);
    // A success is told in the same words everywhere: what differs is what ought to have been.
    const key = words === 'it succeeded' ? `${step?.exchanges.at(-1)?.link}: ${plain(expected)}` : words;
    return { kind: 'difference', key };
  }

  /** The end of the server under test, if a step failed between it and the next start. */
  #endBefore(evidence: ReadonlySet<number>): ServerEntry | undefined {
    const failed = this.#stepsIn(evidence).filter(({ result }) => result.kind === 'failed');
    for (const { evidence: own } of failed) {
      const event = this.#journal.serverEvents.filter(({ seq }) => seq < (own.at(-1) ?? 0)).at(-1);
      if (event && event.event !== 'started') return event;
    }
    return undefined;
  }

  #stopped({ finding, scenarios }: Verdict): string | undefined {
    if (finding.outcome !== 'inconclusive') return undefined;
    return scenarios.find((name) => this.#journal.ending(name)?.stopped?.because === finding.because);
  }

  /** The step that stopped a scenario. */
  #lastOf(scenario: string): PlayedStep[] {
    const steps = this.#journal.stepsOf({ id: scenario });
    const isWrong = ({ step, result }: PlayedStep) => step.defect === undefined && result.kind !== 'done';
    return [steps.findLast(isWrong) ?? steps.at(-1)].flatMap((step) => step ?? []);
  }

  #stepsIn(evidence: ReadonlySet<number>): PlayedStep[] {
    const named = new Set([...evidence].flatMap((seq) => this.#stepOf.get(seq) ?? []));
    return [...named].sort((a, b) => a.step.seq - b.step.seq);
  }
}

/** The answer of a step; undefined for a success. Equal answers have equal words. */
function answerOf({ step, result, exchanges }: PlayedStep): string | undefined {
  const inner = exchanges.findLast((each) => each.link === 'auth->ehr' && refusalOf(each) !== undefined);
  const last = inner ?? exchanges.at(-1);
  if (last && (inner || result.kind !== 'done' || isUnread(last))) {
    const refusal = refusalOf(last);
    if (refusal !== undefined) return refusal;
  }
  switch (result.kind) {
    case 'refused':
      return `${step.step} ${result.code ?? result.status}`;
    case 'failed':
      return `${step.step} ${result.what}`;
    case 'done':
      // What a person sees is the answer to what they did.
      return result.values.sees === undefined ? undefined : `${step.step} leads to ${result.values.sees}`;
    case 'absent':
      return undefined;
  }
}

const callOf = ({ link, facts }: ExchangeEntry) => `${link} ${facts.call?.method}`;

/** How a call was refused, unless the kit did it on purpose. The method counts where there is no code. */
function refusalOf(exchange: ExchangeEntry): string | undefined {
  const { facts, fault, response, link } = exchange;
  if (fault !== undefined || !facts.call || facts.reply?.result === true) return undefined;
  return facts.reply?.code === undefined
    ? `${callOf(exchange)} ${response?.status}`
    : `${link} ${facts.reply.code}`;
}

const MIN_CODE_OF_JSON_RPC = -32_768;
const MAX_CODE_OF_JSON_RPC = -32_000;

/** Whether the answer says that the message itself was wrong. */
function isUnread({ facts, response, fault }: ExchangeEntry): boolean {
  if (fault !== undefined || facts.reply?.result === true) return false;
  const code = facts.reply?.code;
  if (code === undefined) return response !== undefined && response.status >= 400;
  return code >= MIN_CODE_OF_JSON_RPC && code <= MAX_CODE_OF_JSON_RPC;
}

/** Whether these are the words for the answer of a step, as checks share them. */
function isWordsOfAnswer(actual: string): boolean {
  return /^(it was refused with|unreachable:|timeout:|server-error:|unexpected-answer:|the person sees)/.test(
    actual,
  );
}

/** The words of a finding without what differs from step to step: labels, places, counts and codes. */
function plain(words: string): string {
  return words
    .replace(/, after "[^"]*" of [\w-]+/g, '')
    .replace(/"[^"]*"/g, '…')
    .replace(/ by code -?\d+/g, '')
    .replace(/ ?\([^()]*\d[^()]*\)/g, '')
    .trim();
}
