/** Makes rules: checks of all messages, steps or notes of a run, whatever flow they belong to. */
import type { Party, StepEntry } from '../journal/entry.ts';
import type { JournalView } from '../journal/view.ts';
import type { Check } from './check.ts';
import {
  type Fault,
  findingFrom,
  isFault,
  type Judgement,
  type NotApplicable,
  type Shown,
  type Unclear,
} from './steps.ts';
import { MAX_EVIDENCE } from './verdict.ts';

/** Why a run shows nothing: `unclear` where it should have shown it. */
export type Nothing = Unclear | NotApplicable;

type About<S extends Shown> = Pick<Check, 'id' | 'title' | 'requirements' | 'shownBy' | 'explains'> & {
  party: Party;
  /** The scenarios that show a fault best, or their ids. */
  scenarios: readonly (string | { readonly id: string })[];
  /** Whether it can judge a session that was only watched. False unless given. */
  watchable?: boolean;
  advice: string;
  /** Selects what is judged. It is the evidence of a pass. */
  of: (journal: JournalView) => readonly S[];
  /** What it means that `of` selects nothing. */
  nothing: Nothing | ((journal: JournalView) => Nothing);
  /** Says what else must have been seen, so that a pass proves something; undefined where it was. */
  control?: (journal: JournalView, all: readonly S[]) => Nothing | undefined;
};

/** `expected` says how each must be, `wrong` what is wrong with one; `judge` looks at all of them together. */
type Judging<S extends Shown> =
  | {
      expected: string;
      wrong: (each: S, journal: JournalView) => string | false | undefined;
      /** A busy machine can cause this fault, because the kit or the party is late there. */
      timed?: true;
      /** It only says that messages were refused. */
      saysWhy?: false;
    }
  | { judge: (all: readonly S[], journal: JournalView) => Judgement };

export type Rule<S extends Shown> = About<S> & Judging<S>;

/** What a rule says where its maker supplies the members `Given`. */
export type RuleWithout<S extends Shown, Given extends keyof About<S>> = Omit<About<S>, Given> & Judging<S>;

/** A fault that was seen counts, also where too little was seen for a pass. */
export function rule<S extends Shown>(definition: Rule<S>): Check {
  const { id, title, requirements, shownBy, explains, party, advice, watchable = false } = definition;
  const { of, nothing, control } = definition;
  const scenarios = definition.scenarios.map((each) => (typeof each === 'string' ? each : each.id));
  const judgementOf = (all: readonly S[], journal: JournalView): Judgement => {
    const found = foundBy(definition, all, journal);
    if (isFault(found)) return found;
    if (all.length === 0) return typeof nothing === 'function' ? nothing(journal) : nothing;
    return found ?? control?.(journal, all);
  };
  return {
    ...{ id, title, requirements, scenarios, watchable, advice },
    ...(shownBy && { shownBy }),
    ...(explains && { explains }),
    ...('wrong' in definition && !definition.timed && { ofContents: true }),
    judge(journal) {
      const all = of(journal);
      const usual = { advice, explains, blame: party, passes: () => all };
      const finding = findingFrom(judgementOf(all, journal), usual);
      if (finding.outcome === 'not applicable' || !finding.evidence) return finding;
      return { ...finding, evidence: finding.evidence.slice(0, MAX_EVIDENCE) };
    },
  };
}

function foundBy<S extends Shown>(definition: Rule<S>, all: readonly S[], journal: JournalView): Judgement {
  if ('judge' in definition) return definition.judge(all, journal);
  const { wrong, expected, saysWhy } = definition;
  const found = all.flatMap((each) => {
    const what = wrong(each, journal);
    return what === undefined || what === false ? [] : [{ what, each }];
  });
  const fault = faultOf(expected, found, all.length);
  return fault && saysWhy === false ? { ...fault, saysWhy } : fault;
}

/** Limits how many different faults one finding names, so that it stays one sentence. */
const MAX_NAMED_FAULTS = 4;

/** Makes one fault of what is wrong with some of `count` messages or steps; undefined where nothing is. */
export function faultOf(
  expected: string,
  found: readonly { what: string; each: Shown; step?: StepEntry | undefined }[],
  count: number,
): Fault | undefined {
  const [first] = found;
  if (!first) return undefined;
  const kinds = [...new Set(found.map(({ what }) => what))];
  const shown = [...kinds.slice(0, MAX_NAMED_FAULTS), ...(kinds.length > MAX_NAMED_FAULTS ? ['…'] : [])];
  const played = 'result' in first.each ? first.each : undefined;
  const step = played?.step ?? first.step;
  const place = step ? `, after "${step.label}" of ${step.scenario}` : '';
  const counts = `${found.length} of ${count} ${played ? 'steps' : 'messages'}`;
  return {
    expected,
    actual: `${shown.join('; ')}${place} (${counts})`,
    shownBy: found.map(({ each }) => each),
  };
}
