/** Reads from the journal what made a verdict red: the step that went wrong, its answer and its calls. */
import type { Verdict } from '../../check/verdict.ts';
import type { ExchangeEntry, ServerEntry } from '../../journal/entry.ts';
import { endIn } from '../../journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../journal/view.ts';
import { evidenceOf } from '../words.ts';

/** A failure, a warning, or what could not be judged. */
type NotGreen = Exclude<Verdict, { outcome: 'pass' | 'not applicable' }>;

export const isNotGreen = (verdict: Verdict): verdict is NotGreen =>
  verdict.outcome !== 'pass' && verdict.outcome !== 'not applicable';

export type Symptom = {
  verdict: NotGreen;
  /**
   * `ended`: the program under test ended. `answer`: a step got a wrong answer. `difference`: something else
   * differs, which the check says in words. `nothing`: there was nothing to judge.
   */
  kind: 'ended' | 'answer' | 'difference' | 'nothing';
  /** Two symptoms of the same kind show the same difference when their keys are equal. */
  key: string;
  end?: PlayedStep;
  /** The step that went wrong: the last one that the verdict names. `undefined` when it names none. */
  step: PlayedStep | undefined;
  /** `seq` of the step, or of the first entry that the verdict names; infinite when it names none. */
  seq: number;
  /** How many steps of the scenario came before the step; infinite without a step. A basic fault has few. */
  stepsBefore: number;
  /** How many steps the verdict names. */
  stepCount: number;
  /** The answer of the step if it was no success; for a rule of single messages, their refusals. */
  answers: ReadonlySet<string>;
  /** The refusals of all calls in the named steps, and of the named messages. */
  refusals: ReadonlySet<string>;
  steps: ReadonlySet<string>;
  /** The calls in the named steps and the named messages, as link and method. */
  calls: ReadonlySet<string>;
  evidence: ReadonlySet<number>;
  /** Whether the check is a rule of single messages: it failed, and names messages but no step. */
  isOfMessages: boolean;
  /** The scenario that could not go on, if that made the verdict inconclusive. */
  stoppedScenario: string | undefined;
};

export class Symptoms {
  readonly #journal: JournalView;
  readonly #stepOf = new Map<number, PlayedStep>();
  readonly #stepsBefore = new Map<PlayedStep, number>();
  /** A message by the `seq` of an entry: of the message itself, or of a remark of the kit about it. */
  readonly #messageOf = new Map<number, ExchangeEntry>();

  constructor(journal: JournalView) {
    this.#journal = journal;
    const counts = new Map<string, number>();
    for (const played of journal.allSteps()) {
      const { scenario } = played.step;
      const before = counts.get(scenario) ?? 0;
      counts.set(scenario, before + 1);
      this.#stepsBefore.set(played, before);
      // A check that names a message alone judges the message, not the step in which it crossed.
      for (const seq of [played.evidence[0], played.evidence.at(-1)])
        if (seq !== undefined) this.#stepOf.set(seq, played);
    }
    // The latest message of each method in each scenario: a remark is about this one.
    const latest = new Map<string, ExchangeEntry>();
    for (const entry of journal.entries) {
      if (entry.kind === 'exchange') latest.set(`${entry.scenario} ${entry.facts.call?.method}`, entry);
      if (entry.kind !== 'exchange' && entry.kind !== 'observation') continue;
      const message =
        entry.kind === 'exchange' ? entry : latest.get(`${entry.scenario} ${entry.values.method}`);
      if (message) this.#messageOf.set(entry.seq, message);
    }
  }

  of(verdict: NotGreen): Symptom {
    const { finding } = verdict;
    const evidence = new Set(evidenceOf(finding));
    const stoppedScenario = this.#stoppedScenario(verdict);
    const named = stoppedScenario === undefined ? this.#stepsIn(evidence) : this.#lastOf(stoppedScenario);
    const step = named.at(-1);
    const single = [...evidence].flatMap((seq) => this.#messageOf.get(seq) ?? []);
    const messages = [...named.flatMap(({ exchanges }) => exchanges), ...single];
    const isOfMessages = finding.outcome === 'fail' && named.length === 0 && single.length > 0;
    const answer = step && answerOf(step);
    return {
      ...this.#kindOf(finding, evidence, step),
      verdict,
      step,
      seq: step?.step.seq ?? Math.min(...evidence),
      stepsBefore: (step && this.#stepsBefore.get(step)) ?? Number.POSITIVE_INFINITY,
      stepCount: named.length,
      answers: new Set(
        [answer, ...(isOfMessages ? single.map(refusalOf) : [])].flatMap((text) => text ?? []),
      ),
      refusals: new Set(messages.flatMap((message) => refusalOf(message) ?? [])),
      steps: new Set(named.map((played) => played.step.step)),
      calls: new Set(messages.map(callOf)),
      evidence,
      isOfMessages,
      stoppedScenario,
    };
  }

  #kindOf(
    finding: NotGreen['finding'],
    evidence: ReadonlySet<number>,
    step: PlayedStep | undefined,
  ): Pick<Symptom, 'kind' | 'key' | 'end'> {
    const end = this.#endBefore(evidence);
    if (end) return { kind: 'ended', key: String(end.seq) };
    const last = step && this.#endUpTo(step);
    if (last) return { kind: 'ended', key: 'the program', end: last };
    const answer = step && answerOf(step);
    if (finding.outcome === 'inconclusive') {
      if (answer !== undefined) return { kind: 'answer', key: answer };
      return { kind: step ? 'difference' : 'nothing', key: plain(finding.because) };
    }
    const { expected, actual } = finding;
    if (answer !== undefined && isWordsOfAnswer(actual)) return { kind: 'answer', key: answer };
    const words = plain(actual);
    // "it succeeded" is what every wrong success says. The words for what was expected tell them apart.
    const key = words === 'it succeeded' ? `${step?.exchanges.at(-1)?.link}: ${plain(expected)}` : words;
    return { kind: 'difference', key };
  }

  /** The step in which the program under test ended, where that was this step or an earlier one. */
  #endUpTo({ step }: PlayedStep): PlayedStep | undefined {
    const end = endIn(this.#journal.stepsOf({ id: step.scenario }));
    return end && end.step.seq <= step.seq ? end : undefined;
  }

  /** The last end of the server under test before a failed step, if it was not started again in between. */
  #endBefore(evidence: ReadonlySet<number>): ServerEntry | undefined {
    const failed = this.#stepsIn(evidence).filter(({ result }) => result.kind === 'failed');
    for (const { evidence: entries } of failed) {
      const event = this.#journal.serverEvents.filter(({ seq }) => seq < (entries.at(-1) ?? 0)).at(-1);
      if (event && event.event !== 'started') return event;
    }
    return undefined;
  }

  /** The scenario that stopped for the very reason that made the verdict inconclusive. */
  #stoppedScenario({ finding, scenarios }: Verdict): string | undefined {
    if (finding.outcome !== 'inconclusive') return undefined;
    return scenarios.find((name) => this.#journal.ending(name)?.stopped?.because === finding.because);
  }

  /** The step that stopped a scenario: the last that failed without a mistake on purpose, or the last. */
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

/**
 * The answer of a step as a text; `undefined` for a success. Equal answers have equal texts. A refusal by the
 * EHR server counts before the answer of the authorization server, which follows from it.
 */
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
      // In the role of the client, the page that a person sees is the answer to what the person did.
      return result.values.sees === undefined ? undefined : `${step.step} leads to ${result.values.sees}`;
    case 'absent':
      return undefined;
  }
}

export const methodIn = ({ step, exchanges }: PlayedStep): string =>
  exchanges.at(-1)?.facts.call?.method ?? step.step;

const callOf = ({ link, facts }: ExchangeEntry) => `${link} ${facts.call?.method}`;

/** How a call was refused; `undefined` for a success, and for a refusal that the kit made on purpose. */
function refusalOf(exchange: ExchangeEntry): string | undefined {
  const { facts, fault, response, link } = exchange;
  if (fault !== undefined || !facts.call || facts.reply?.result === true) return undefined;
  return facts.reply?.code === undefined
    ? `${callOf(exchange)} ${response?.status}`
    : `${link} ${facts.reply.code}`;
}

const MIN_CODE_OF_JSON_RPC = -32_768;
const MAX_CODE_OF_JSON_RPC = -32_000;

/** Whether the answer says that the message itself was wrong, so that the method was not carried out. */
function isUnread({ facts, response, fault }: ExchangeEntry): boolean {
  if (fault !== undefined || facts.reply?.result === true) return false;
  const code = facts.reply?.code;
  if (code === undefined) return response !== undefined && response.status >= 400;
  return code >= MIN_CODE_OF_JSON_RPC && code <= MAX_CODE_OF_JSON_RPC;
}

/** Whether these are the words by which checks describe the answer of a step. */
function isWordsOfAnswer(actual: string): boolean {
  return /^(it was refused with|unreachable:|timeout:|server-error:|unexpected-answer:|the person sees)/.test(
    actual,
  );
}

/** The words of a finding without what differs from step to step: labels, positions, counts and codes. */
function plain(words: string): string {
  return words
    .replace(/, after "[^"]*" of [\w-]+/g, '')
    .replace(/"[^"]*"/g, '…')
    .replace(/ by code -?\d+/g, '')
    .replace(/ ?\([^()\d]*\d[^()]*\)/g, '')
    .trim();
}
