/** Codes that begin with a zero confirm: a server that keeps numbers refuses every tenth user. */
import type { Check } from '../../../../engine/check/check.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { CodeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { checksIn } from '../../flows/flow.ts';
import { crowd } from '../../flows/links/crowd.ts';
import { firstLink } from '../../flows/links/first-link.ts';
import { isDone } from '../../flows/step-values.ts';
import { saveTrouble } from '../../flows/trouble/save-trouble.ts';
import { mostOften, REQUESTING, withoutCodes } from './code-values.ts';

/** The fewest such codes, all refused, that show a fault: one or two may be refused for another reason. */
const MIN_REFUSED = 3;

type TypedCode = { code: CodeEntry; played: PlayedStep };

function typedIn(journal: JournalView): TypedCode[] {
  const confirmations = journal.allSteps('confirmOtp').filter(({ step }) => step.code !== undefined);
  return journal.codes.flatMap((code) => {
    const played = confirmations.find(
      ({ step }) => step.code === code.code && step.scenario === code.scenario && step.seq > code.seq,
    );
    return played && played.step.defect === undefined ? [{ code, played }] : [];
  });
}

/** Tells the codes that begin with a zero, or have lost it: they are shorter than most. */
function zeroFirst(all: readonly CodeEntry[]): (code: CodeEntry) => boolean {
  const length = mostOften(all.map(({ facts }) => facts.length)).value ?? 0;
  return ({ facts }) => facts.digits && (facts.length < length || facts.tenth === 0);
}

const WITH_CODES = [...REQUESTING, crowd, saveTrouble];

function zerosLost(journal: JournalView): Judgement {
  const without = withoutCodes(journal);
  if (without) return without;
  const isZeroFirst = zeroFirst(journal.codes);
  const typed = typedIn(journal);
  const zeros = typed.filter(({ code }) => isZeroFirst(code));
  const others = typed.filter(({ code }) => !isZeroFirst(code));
  const confirmed = zeros.filter(({ played }) => isDone(played));
  if (confirmed.length > 0) return { right: confirmed.map(({ played }) => played).slice(0, MAX_EVIDENCE) };
  const areOthersRight = others.filter(({ played }) => isDone(played)).length > others.length / 2;
  if (zeros.length < MIN_REFUSED || !areOthersRight) {
    const missing = WITH_CODES.find(({ id }) => !journal.ending(id));
    if (missing) return { unclear: `the codes of the scenario ${missing.id} are missing`, blame: 'harness' };
    return { notApplicable: 'too few codes of this run begin with a zero and were typed in' };
  }
  const length = Math.max(...journal.codes.map(({ facts }) => facts.length));
  const short = zeros.filter(({ code }) => code.facts.length < length);
  const came = short.length > 0 ? `; ${short.length} of them came shorter than the others` : '';
  return {
    expected: 'a code that begins with a zero confirms as every other one does',
    actual: `none of ${zeros.length} codes that begin with a zero confirmed${came}`,
    shownBy: zeros.map(({ played }) => played).slice(0, MAX_EVIDENCE),
    saysWhy: true,
  };
}

export const zeroCodeRules: readonly Check[] = checksIn(firstLink, {
  'code-with-zero-confirms': {
    title: 'A code that begins with a zero confirms as it came',
    requirements: ['K-zeros-kept'],
    also: WITH_CODES,
    judge: (_steps, journal) => zerosLost(journal),
    advice: 'Keep, print and compare a code as a text of its full length, and never as a number.',
  },
});
