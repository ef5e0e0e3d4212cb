/** Rules for one-time codes of the authorization server: only the phone may know them (§1 rule 8). */
import type { Check } from '../../../engine/check/check.ts';
import { type Nothing, rule } from '../../../engine/check/rule.ts';
import type { Judgement } from '../../../engine/check/steps.ts';
import type { CodeEntry, ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { guessedCodes } from '../flows/codes/guessed-codes.ts';
import { oddCodes } from '../flows/codes/odd-codes.ts';
import { expiredCode, supersededCode } from '../flows/codes/over-time.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { crowd, manyTokens } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { isDone } from '../flows/step-values.ts';
import { saveTrouble } from '../flows/trouble/save-trouble.ts';
import { atLeast, inWords, MAX_CHANCE, sameValue } from './chance.ts';
import { USUAL } from './usual.ts';

/** The scenarios that request most codes. The rules judge the codes of other scenarios as well. */
const REQUESTING = [
  firstLink,
  returningUser,
  manyTokens,
  wrongCodes,
  supersededCode,
  expiredCode,
  guessedCodes,
  oddCodes,
];

/** The fewest codes that show how they are drawn: with fewer, chance explains nearly everything. */
const MIN_CODES = 8;

/** The fewest digits of a code: five tries hit one of three digits once in 200 attempts. */
const MIN_DIGITS = 4;

const DRAW_ADVICE =
  'Draw each code with a generator for secrets (such as crypto.randomInt, SecureRandom, secrets.randbelow), a new one for each request, from all numbers of its length.';

/** Whether a code was requested and confirmed: of other messages nobody knows that they have codes. */
function areCodes(journal: JournalView): boolean {
  const [asked, confirmed] = [journal.allSteps('requestOtp'), journal.allSteps('confirmOtp')];
  return journal.codes.length > 0 && asked.some(isDone) && confirmed.some(isDone);
}

function noCodes(journal: JournalView): Nothing {
  const requests = journal.allSteps('requestOtp');
  if (requests.length === 0 && REQUESTING.some(({ id }) => journal.ending(id)))
    return { notApplicable: 'no code is requested from this server' };
  return { unclear: 'no code could be requested and confirmed', shownBy: requests.slice(0, 1) };
}

const OF_CODES = {
  ...USUAL,
  scenarios: REQUESTING,
  watchable: false,
  requirements: ['K-codes-drawn'],
  of: (journal: JournalView) => (areCodes(journal) ? journal.codes : []),
  nothing: noCodes,
} as const;

/** A code that is sent again while it is valid is not a new draw. */
const drawnIn = (journal: JournalView) => OF_CODES.of(journal).filter(({ facts }) => facts.again !== true);

const OF_DRAWN = {
  ...OF_CODES,
  of(journal: JournalView) {
    const drawn = drawnIn(journal);
    return drawn.length < MIN_CODES ? [] : drawn;
  },
  nothing(journal: JournalView): Nothing {
    if (!areCodes(journal)) return noCodes(journal);
    const unclear = `only ${drawnIn(journal).length} codes came in this run, and ${MIN_CODES} are needed to judge how they are drawn`;
    return { unclear, shownBy: journal.codes, blame: 'environment' };
  },
} as const;

export const codeRules: readonly Check[] = [
  rule({
    ...OF_CODES,
    id: 'code-not-shown',
    title: 'No answer shows a code to the client before it is confirmed',
    requirements: ['K-code-to-phone-alone'],
    judge(codes, journal) {
      const shown = journal.exchanges('client->auth').flatMap((exchange) => {
        const places = placesOf(exchange);
        return places.length > 0 ? [{ exchange, places }] : [];
      });
      const count = shown.length;
      // A short number occurs in an answer by chance now and then.
      if (
        codes.length === 0 ||
        count === 0 ||
        (count === 1 && codes.some(({ facts }) => facts.length < MIN_LONG_CODE_DIGITS))
      )
        return undefined;
      const places = [...new Set(shown.flatMap((each) => each.places))];
      return {
        expected: 'the code goes to the phone alone',
        actual: `it stands ${places.join(' and ')} of an answer to the client (${count} ${count === 1 ? 'answer' : 'answers'})`,
        shownBy: shown.map(({ exchange }) => exchange),
      };
    },
    advice:
      'Leave the code out of every answer, header, address and error, in whatever encoding: who can read it there needs no phone.',
  }),
  rule({
    ...OF_DRAWN,
    id: 'codes-differ',
    title: 'Every phone and every request is sent a code of its own',
    judge(codes) {
      const often = mostOften(codes.map(({ code }) => code));
      const distinct = new Set(codes.map(({ code }) => code)).size;
      const possible = possibleCodes(codes);
      const pairs = (codes.length * (codes.length - 1)) / 2;
      const chance = Math.min(
        sameValue(often.times, codes.length, possible),
        atLeast(codes.length - distinct, pairs, 1 / possible),
      );
      if (chance >= MAX_CHANCE) return undefined;
      return {
        expected: 'codes that differ',
        actual: `${codes.length} requests brought ${distinct} different ${distinct === 1 ? 'code' : 'codes'}, one of them ${often.times} times; by chance that happens ${inWords(chance)}`,
        shownBy: codes.filter(({ code }) => code === often.value),
      };
    },
    advice: `${DRAW_ADVICE} A code that is built in for tests must not be what is judged.`,
  }),
  rule({
    ...OF_DRAWN,
    id: 'codes-unpredictable',
    title: 'A code does not follow from the codes before it, the phone or the clock',
    judge(codes) {
      const [worst] = patternsOf(codes).sort((a, b) => a.chance - b.chance);
      if (!worst || worst.chance >= MAX_CHANCE) return undefined;
      return {
        expected: 'codes that cannot be foretold',
        actual: `${worst.what}; by chance that happens ${inWords(worst.chance)}`,
        shownBy: codes,
      };
    },
    advice: DRAW_ADVICE,
  }),
  rule({
    ...OF_CODES,
    id: 'code-length',
    title: 'A code is too long to be guessed in a few tries',
    judge(codes) {
      const short = codes.filter(({ facts }) => facts.length < MIN_DIGITS);
      const [one] = short;
      // A number sent without its leading zeros is short now and then.
      if (!one || short.length <= codes.length / 2) return undefined;
      return {
        expected: `at least ${MIN_DIGITS} digits`,
        actual: `codes of ${one.facts.length} ${one.facts.digits ? 'digits' : 'characters'} (${short.length} of ${codes.length})`,
        shownBy: short,
      };
    },
    advice: 'Send codes of six digits: five tries then hit once in 200,000.',
  }),
];

/** How the journal names an unconfirmed code that it found in an answer (secrets-to-client.ts). */
const CODE = 'a code that is not confirmed yet';

/** Numbers of this length hardly occur in an answer by chance. */
const MIN_LONG_CODE_DIGITS = 6;

/** A place that does not count: the time in the header Date may equal a code by chance. */
const CHANCE_PLACE = 'in header date';

/** Where in an answer to the client an unconfirmed code was found; empty where there is none. */
function placesOf({ facts }: ExchangeEntry): string[] {
  return (facts.toClient ?? [])
    .filter((each) => each.startsWith(CODE))
    .map((each) => each.slice(CODE.length + 1))
    .filter((place) => place !== CHANCE_PLACE);
}

type Pattern = { what: string; chance: number };

function patternsOf(all: readonly CodeEntry[]): Pattern[] {
  const possible = possibleCodes(all);
  // Codes that lost a leading zero are not compared.
  const codes = all.filter(({ facts }) => 10 ** facts.length === possible);
  const steps = codes.flatMap(({ facts }) =>
    facts.step === undefined || facts.step === 0 ? [] : [facts.step],
  );
  const small = steps.filter((step) => Math.min(step, possible - step) <= MAX_SMALL_STEP).length;
  const rising = steps.filter((step) => step < possible / 2).length;
  const equalStep = mostOften(steps);
  const tenths = codes.flatMap(({ facts }) => facts.tenth ?? []);
  const crowded = mostOften(tenths);
  const derived = mostOften(codes.flatMap(({ facts }) => facts.derived ?? []));
  return [
    {
      what: `${small} of ${steps.length} codes lie at most ${MAX_SMALL_STEP} from the code before`,
      chance: atLeast(small, steps.length, (2 * MAX_SMALL_STEP + 1) / possible),
    },
    {
      what: `${equalStep.times} of ${steps.length} codes lie equally far from the code before`,
      chance: sameValue(equalStep.times, steps.length, possible),
    },
    {
      what: `${rising} of ${steps.length} codes are higher than the code before`,
      chance: atLeast(rising, steps.length, 1 / 2),
    },
    {
      what: `${crowded.times} of ${tenths.length} codes lie in one tenth of all codes`,
      // Codes whose first digit is never 0 are right, too: they lie in nine tenths.
      chance: Math.min(1, 10 * atLeast(crowded.times, tenths.length, 1 / 9)),
    },
    {
      what: `${derived.times} of ${codes.length} codes follow from ${derived.value}`,
      chance: atLeast(derived.times, codes.length, DERIVED_FORM_COUNT / possible),
    },
  ].filter(({ what }) => !what.startsWith('0 '));
}

/** The largest step that looks like counting (beside other users' codes) or like seconds of a clock. */
const MAX_SMALL_STEP = 60;

/** The number of ways in which a code can match phone or clock by chance; see `codeFacts` in observe.ts. */
const DERIVED_FORM_COUNT = 16;

function possibleCodes(codes: readonly CodeEntry[]): number {
  return 10 ** (mostOften(codes.map(({ facts }) => facts.length)).value ?? 0);
}

function mostOften<T>(values: readonly T[]): { value: T | undefined; times: number } {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [value, times] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [undefined, 0];
  return { value, times };
}

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

function zerosLost(codes: readonly CodeEntry[], journal: JournalView): Judgement {
  const isZeroFirst = zeroFirst(codes);
  const typed = typedIn(journal);
  const zeros = typed.filter(({ code }) => isZeroFirst(code));
  const others = typed.filter(({ code }) => !isZeroFirst(code));
  const confirmed = zeros.filter(({ played }) => isDone(played));
  if (confirmed.length > 0) return { right: confirmed.map(({ played }) => played) };
  const areOthersRight = others.filter(({ played }) => isDone(played)).length > others.length / 2;
  if (zeros.length < MIN_REFUSED || !areOthersRight) {
    const missing = WITH_CODES.find(({ id }) => !journal.ending(id));
    if (missing) return { unclear: `the codes of the scenario ${missing.id} are missing`, blame: 'harness' };
    return { notApplicable: 'too few codes of this run begin with a zero and were typed in' };
  }
  const length = Math.max(...codes.map(({ facts }) => facts.length));
  const short = zeros.filter(({ code }) => code.facts.length < length);
  const came = short.length > 0 ? `; ${short.length} of them came shorter than the others` : '';
  return {
    expected: 'a code that begins with a zero confirms as every other one does',
    actual: `none of ${zeros.length} codes that begin with a zero confirmed${came}`,
    shownBy: zeros.map(({ played }) => played),
    saysWhy: true,
  };
}

export const codeWithZeroConfirms: Check = rule({
  ...OF_CODES,
  id: 'code-with-zero-confirms',
  title: 'A code that begins with a zero confirms as it came',
  requirements: ['K-zeros-kept'],
  scenarios: WITH_CODES,
  judge: zerosLost,
  advice: 'Keep, print and compare a code as a text of its full length, and never as a number.',
});
