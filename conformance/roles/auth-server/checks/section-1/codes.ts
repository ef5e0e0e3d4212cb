/** Confirming the phone by a one-time code (§1 rules 1 and 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass, refusedStep } from '../../../../engine/check/judging.ts';
import { succeeds } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { expiredCode, guessedCodes, knownAndUnknown, supersededCode, wrongCodes } from '../../flows/codes/codes.ts';
import { firstLink } from '../../flows/links/linking.ts';
import { type Label, part } from '../../flows/scenario.ts';
import { correspondence } from '../../flows/sessions/sessions.ts';
import { mayBeLimit } from '../../player/codes/code-limits.ts';

export const CONFIRM_ADVICE =
  'Compare the code with the newest one sent to this very phone, once, and open no session otherwise.';

type Attempt = Pick<Check, 'id' | 'title'> &
  Partial<Pick<Check, 'level' | 'requirements'>> & { of: { id: string }; control: Label; attempt: Label };

/** Makes a check of a sign-in with a code that must not confirm. */
function codeCheck({ of, control, attempt, requirements = ['1-phone-confirmed'], ...about }: Attempt): Check {
  return check({
    ...about,
    requirements,
    scenarios: [of],
    judge: (journal) =>
      refusedStep(journal, {
        control,
        attempt,
        expected: 'the sign-in is refused',
        advice: CONFIRM_ADVICE,
        nothingSent: true,
      }),
    red: succeeds(attempt),
  });
}

function judgeExpired(journal: JournalView): Finding {
  const { inTime, expired, expiredAfterTry } = expiredCode.steps;
  const about = { control: inTime, expected: 'the sign-in is refused', advice: CONFIRM_ADVICE, nothingSent: true };
  const [untouched, tried] = [expired, expiredAfterTry].map((attempt) => refusedStep(journal, { ...about, attempt }));
  if (untouched?.outcome !== 'pass' || !tried) return untouched as Finding;
  return tried.outcome === 'fail'
    ? { ...tried, actual: `${tried.actual}: a wrong try had prolonged the life of the code` }
    : tried;
}

/** The check, limited to newer codes that differ from the old one. */
function supersededCheck(check: Check): Check {
  return {
    ...check,
    judge: (journal) =>
      journal.observations(supersededCode.steps.newest).some(({ values }) => values.isOther === false)
        ? notApplicable('the server sends the same code again while it lives, so none is superseded')
        : check.judge(journal),
  };
}

export const codeChecks: readonly Check[] = [
  check({
    id: 'phone-confirmed',
    title: 'No session is opened from a phone alone: its ownership is confirmed first',
    requirements: ['1-phone-confirmed'],
    scenarios: [firstLink, wrongCodes],
    judge(journal) {
      const signedIn = journal.step(firstLink.steps.signIn);
      const [unrequested, wrong] = [journal.step(wrongCodes.steps.unrequested), journal.step(wrongCodes.steps.wrong)];
      // One of them may be a code built in for tests; both together show that the code is ignored.
      if (unrequested?.result.kind === 'done' && wrong?.result.kind === 'done')
        return fail({
          expected: 'a session only after a code, sent to the phone, was confirmed',
          actual: 'a session was opened for a phone that was sent no code, and for one whose code was wrong',
          evidence: [...unrequested.evidence, ...wrong.evidence],
          advice: CONFIRM_ADVICE,
        });
      if (!signedIn) return notRun(journal, firstLink.steps.signIn);
      if (signedIn.result.kind !== 'done')
        return inconclusive('nobody could be signed in, so nothing shows what a session takes', signedIn.evidence);
      if (journal.codes.length > 0) return pass(signedIn.evidence);
      return fail({
        expected: 'a session only after a code, sent to the phone, was confirmed',
        actual: 'the kit was given a session for a phone that it invented, and was asked for no code',
        evidence: signedIn.evidence,
        advice:
          'Send a code to the phone and open the session when it comes back. A sign-in for tests alone must not be what is judged.',
      });
    },
  }),
  codeCheck({
    id: 'no-session-without-code',
    title: 'No session is opened for a phone to which no code was sent',
    of: wrongCodes,
    control: wrongCodes.steps.right,
    attempt: wrongCodes.steps.unrequested,
  }),
  codeCheck({
    id: 'foreign-code-refused',
    title: 'A code sent to one phone does not confirm another',
    of: wrongCodes,
    control: wrongCodes.steps.fayRight,
    attempt: wrongCodes.steps.foreign,
  }),
  supersededCheck(
    codeCheck({
      id: 'superseded-code-refused',
      title: 'A newer code makes the older one useless',
      requirements: ['K-code-superseded'],
      of: supersededCode,
      control: supersededCode.steps.newest,
      attempt: supersededCode.steps.superseded,
    }),
  ),
  check({
    id: 'expired-code-refused',
    title: 'A code is refused after its lifetime, whether or not it was tried wrongly meanwhile',
    requirements: ['K-code-expires'],
    scenarios: [expiredCode],
    judge: judgeExpired,
  }),
  codeCheck({
    id: 'tries-limited',
    title: 'Many wrong codes make even the right one useless',
    requirements: ['K-code-tries-limited'],
    of: guessedCodes,
    control: guessedCodes.steps.atOnce,
    attempt: guessedCodes.steps.afterwards,
  }),
  check({
    id: 'known-and-unknown-alike',
    title: 'Known and unknown phones are answered alike',
    level: 'ADVICE',
    requirements: ['K-known-unknown-alike'],
    scenarios: [knownAndUnknown, correspondence],
    judge(journal) {
      const unlisted = unlistedTold(journal);
      if (unlisted) return unlisted;
      const known = journal.steps(knownAndUnknown.steps.known);
      const unknown = journal.steps(knownAndUnknown.steps.unknown);
      if (known.length === 0 || unknown.length === 0) return notRun(journal, knownAndUnknown.steps.known);
      return alike(known, unknown);
    },
  }),
];

/** Fails when a phone without a correspondence entry is answered differently before its code came back. */
function unlistedTold(journal: JournalView): Finding | undefined {
  const { olaSignsIn, pipSignsIn, removed } = correspondence.steps;
  const [listed, unlisted] = [olaSignsIn, pipSignsIn].map((label) => journal.step(part(label, 'request a code')));
  // Where the entry is removed only later, both phones are listed.
  if (listed?.result.kind !== 'done' || unlisted?.result.kind !== 'refused' || journal.step(removed)) return undefined;
  if (mayBeLimit(unlisted.result)) return undefined;
  return fail({
    expected: 'the same answer',
    actual: `known: it succeeded; without a correspondence entry: ${describe(unlisted.result)}`,
    evidence: [...listed.evidence, ...unlisted.evidence],
    advice:
      'Answer a request for a code in the same way whether the phone is known or not; refuse the user when the code came back.',
  });
}

function alike(known: readonly PlayedStep[], unknown: readonly PlayedStep[]): ReturnType<JudgeOf> {
  const answer = (played: PlayedStep) => {
    const { response } = played.exchanges.find(({ link }) => link === 'client->auth') ?? {};
    return response ? `HTTP ${response.status}, ${shapeOf(response.body)}` : 'no answer';
  };
  const evidence = [known, unknown].flatMap((all) => all.slice(0, 1).flatMap((first) => first.evidence));
  const [ours, theirs] = [new Set(known.map(answer)), new Set(unknown.map(answer))];
  const advice = 'Answer a request for a code in the same way whether the phone is known or not.';
  if ([...ours].join() !== [...theirs].join()) {
    const actual = `known: ${[...ours].join(' / ')}; unknown: ${[...theirs].join(' / ')}`;
    return fail({ expected: 'the same answer', actual, evidence, advice });
  }
  if (known.some(({ result }) => result.kind !== 'done')) return inconclusive('no code could be requested', evidence);
  const lengths = [known, unknown].map((all) => new Set(all.map(lengthOf)));
  const [[ourLength], [theirLength]] = lengths.map((each) => [...each]) as [[number?], [number?]];
  // A length that varies between answers shows nothing.
  if (known.length > 1 && lengths.every(({ size }) => size === 1) && ourLength !== theirLength)
    return fail({
      expected: 'answers of the same length',
      actual: `known: ${ourLength} bytes; unknown: ${theirLength} bytes`,
      evidence,
      advice,
    });
  const medians = [median(known.map(({ took }) => took)), median(unknown.map(({ took }) => took))];
  const [fast, slow] = medians.sort((a, b) => a - b) as [number, number];
  if (slow - fast > TELLING_DIFFERENCE_MS && slow > 3 * fast)
    return fail({
      expected: 'about the same time',
      actual: `medians of ${fast} and ${slow} ms`,
      evidence,
      advice,
      timeSensitive: true,
    });
  return pass(evidence);
}

/** The length of the answer as it crossed, where that is stated. */
function lengthOf(played: PlayedStep): number | undefined {
  const { response } = played.exchanges.find(({ link }) => link === 'client->auth') ?? {};
  const stated = response?.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return stated === undefined ? undefined : Number(stated);
}

type JudgeOf = (journal: JournalView) => ReturnType<Check['judge']>;

/** A difference of medians (ms) that a stranger can measure over a network. */
const TELLING_DIFFERENCE_MS = 100;

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A body without identifiers, numbers and the choice of pseudonyms, which differ in any case. */
function shapeOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) => {
      if (name === 'id' || typeof value === 'number') return 0;
      return typeof value === 'string' ? withoutNumbers(value) : value;
    });
  } catch {
    return withoutNumbers(body);
  }
}

const withoutNumbers = (text: string) => text.replace(/\d+/g, '0');
