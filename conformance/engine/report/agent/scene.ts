/** Finds in the journal what shows a red verdict: the step that went wrong, its neighbours, one exchange. */
import type { Verdict } from '../../check/verdict.ts';
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import { Symptoms } from '../causes/symptom.ts';

/** An entry of the journal that is a remark of the kit. */
export type RemarkEntry = Exclude<Entry, { kind: 'scenario' | 'step' | 'outcome' | 'exchange' }>;

/** What shows a verdict. Each part is `undefined` where the verdict names none. */
export type Scene = {
  step: PlayedStep | undefined;
  /** The steps before and after it in its scenario. */
  before: PlayedStep | undefined;
  after: PlayedStep | undefined;
  /** The place of the step in its scenario, counted from 1, and the number of steps there. */
  place: number;
  steps: number;
  /** The exchange that shows most. */
  exchange: ExchangeEntry | undefined;
  remarks: readonly RemarkEntry[];
};

/** Finds the scenes of one journal. */
export class Scenes {
  readonly #view: JournalView;
  readonly #symptoms: Symptoms;

  constructor(entries: readonly Entry[]) {
    this.#view = new JournalView(entries);
    this.#symptoms = new Symptoms(this.#view);
  }

  /** The scene of a red verdict. */
  of(verdict: Verdict): Scene {
    const { step: named, evidence, kind, key } = this.#symptoms.of(verdict);
    // What the program wrote last stands with its end, which no check names.
    const isEnd = ({ seq }: Entry) => kind === 'ended' && String(seq) === key;
    const seen = this.#view.entries.filter(({ seq }) => evidence.has(seq));
    const messages = seen.filter((entry) => entry.kind === 'exchange');
    const exchange = named ? (tellingIn(named, evidence, verdict) ?? messages.at(-1)) : messages[0];
    const step = named ?? (exchange && this.#view.stepOf(exchange));
    const all = step ? this.#view.stepsOf({ id: step.step.scenario }) : [];
    const at = step ? all.indexOf(step) : -1;
    return {
      step,
      before: all[at - 1],
      after: step && all[at + 1],
      place: at + 1,
      steps: all.length,
      exchange,
      remarks: this.#view.entries.filter((each) => evidence.has(each.seq) || isEnd(each)).filter(isRemark),
    };
  }
}

/**
 * The exchange of a step that shows most: the refusal inside from which the failure of the step follows, else
 * the call whose method the check names, else the last request of the kit, else the last request of all.
 */
function tellingIn({ exchanges, result }: PlayedStep, evidence: ReadonlySet<number>, { finding }: Verdict) {
  const named = exchanges.filter(({ seq }) => evidence.has(seq));
  const all = named.length > 0 ? named : exchanges;
  const inside = result.kind === 'done' ? undefined : all.findLast(isRefusedInside);
  const words = finding.outcome === 'fail' ? `${finding.expected} ${finding.actual}`.split(/[^\w]+/) : [];
  const isTold = ({ facts: { call } }: ExchangeEntry) =>
    call !== undefined && words.includes(String(call.method).split('.').at(-1) ?? '');
  return inside ?? all.findLast(isTold) ?? all.findLast(({ step }) => step !== undefined) ?? all.at(-1);
}

/** Whether the EHR server refused a call of the authorization server, not on purpose. */
const isRefusedInside = ({ link, fault, facts }: ExchangeEntry): boolean =>
  link === 'auth->ehr' && fault === undefined && facts.reply?.result === false;

const isRemark = (entry: Entry): entry is RemarkEntry =>
  !['scenario', 'step', 'outcome', 'exchange'].includes(entry.kind);
