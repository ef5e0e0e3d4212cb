/**
 * The owner of a saved session, and when it is saved: in its own step, after the confirmation, in no other
 * step (§1 rules 6 to 8, §4.1, §4.2).
 */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notRun,
  pass,
  refusedStep,
  SAVE_AUTH_INFO,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { returningUser } from '../../flows/links/linking.ts';
import { whoseSession } from '../../flows/sessions/whose-session.ts';
import { type GivenSession, sessionsOf } from '../given-values.ts';
import { isLate, personOf } from '../whose-save.ts';

const { steps } = whoseSession;

const WHOSE_ADVICE =
  'Save at the EHR server the very user and token that this client is told, and keep no session of a request in a variable that requests share.';

const isAccepted = ({ facts, fault }: ExchangeEntry) => facts.reply?.result === true && fault === undefined;

/** Describes what is wrong in the authInfo of a save; undefined when it is one of the `own` sessions. */
function foreign({ facts: { call } }: ExchangeEntry, own: readonly GivenSession[], all: readonly GivenSession[]) {
  if (own.length === 0 || own.some(({ user, token }) => user === call?.user && token === call?.token)) return undefined;
  if (own.every(({ user }) => user !== call?.user)) return 'authInfo.user is not the user of the session';
  if (own.some(({ token }) => token === call?.token))
    return 'authInfo names the user of one session and the token of another';
  return all.some(({ token }) => token === call?.token)
    ? 'authInfo.token is that of another session'
    : 'authInfo.token was given to no client';
}

/**
 * Finds a save of a session whose user requested nothing at that moment and that is not late: it was made for
 * somebody else.
 */
function unaskedSave(journal: JournalView, all: readonly GivenSession[]): ExchangeEntry | undefined {
  return journal.exchanges('auth->ehr', SAVE_AUTH_INFO).find((save) => {
    const session = all.find(({ token }) => token === save.facts.call?.token);
    if (!session || journal.stepOf(save) || save.seq < session.played.step.seq) return false;
    const person = personOf(session.played);
    const asks = [...ASKING].some((name) =>
      journal
        .allSteps(name)
        .some((each) => personOf(each) === person && each.step.seq < save.seq && save.seq < Math.max(...each.evidence)),
    );
    return !asks && !isLate(journal, save, person);
  });
}

const ASKING = ['requestOtp', 'confirmOtp', 'exchangeToken', 'reportLink', 'logout', 'deleteUser'] as const;

function judgeWhose(journal: JournalView): Finding {
  const all = sessionsOf(journal);
  const unasked = unaskedSave(journal, all);
  if (unasked)
    return fail({
      expected: 'the user and the token of the session for which the client asked',
      actual: 'the session of a user was saved who asked for nothing',
      evidence: [unasked.seq],
      advice: WHOSE_ADVICE,
    });
  const judged: number[] = [];
  for (const played of [...journal.allSteps('confirmOtp'), ...journal.allSteps('reportLink')]) {
    const isSignIn = played.step.step === 'confirmOtp';
    // A failed save may have been repeated with another token.
    const saves = sentTo(played, SAVE_AUTH_INFO).filter((save) => !isSignIn || isAccepted(save));
    if (saves.length === 0 || (isSignIn && played.result.kind !== 'done')) continue;
    const mine = all.filter((session) => personOf(session.played) === personOf(played));
    for (const save of saves) {
      const own = isSignIn
        ? mine.filter(({ played: { step, evidence } }) => step.seq < save.seq && save.seq < Math.max(...evidence))
        : mine.filter(({ played: { step } }) => step.user === played.step.user && step.seq < played.step.seq).slice(-1);
      const actual = foreign(save, own, all);
      if (actual)
        return fail({
          expected: 'the user and the token that the client was given for this session',
          actual: `${actual} (at "${played.step.label}")`,
          evidence: [...played.evidence, save.seq],
          advice: WHOSE_ADVICE,
        });
      judged.push(save.seq);
    }
  }
  return judged.length > 0 ? pass(judged.slice(0, 5)) : inconclusive('no session was saved at a sign-in or a report');
}

function judgeEarly(journal: JournalView): Finding {
  const early = earlySave(journal);
  if (early)
    return fail({
      expected: 'save_auth_info only after the code was confirmed',
      ...early,
      advice:
        'Compare the code first. Open the session and save it at the EHR server only when the code was right: whoever knows a phone must not have a session saved.',
    });
  const right = journal.step(steps.right);
  if (!right) return notRun(journal, steps.right);
  if (!sentTo(right, SAVE_AUTH_INFO).some(isAccepted))
    return inconclusive(
      'the sign-in with the right code saved no session, so nothing shows when one is',
      right.evidence,
    );
  return pass(right.evidence);
}

function earlySave(journal: JournalView): { actual: string; evidence: number[] } | undefined {
  const given = new Map(sessionsOf(journal).map(({ token, played }) => [token, played]));
  for (const save of journal.exchanges('auth->ehr', SAVE_AUTH_INFO)) {
    const confirmation = given.get(save.facts.call?.token ?? '');
    if (confirmation && save.seq < confirmation.step.seq)
      return { actual: 'it came before the code was confirmed', evidence: [save.seq, ...confirmation.evidence] };
    const played = journal.stepOf(save);
    if (played?.step.step === 'requestOtp' && !isLate(journal, save, personOf(played)))
      return { actual: 'it came before the code was confirmed: when it was requested', evidence: played.evidence };
  }
  const wrong = journal.step(steps.wrong);
  if (!wrong || wrong.result.kind === 'done' || sentTo(wrong, SAVE_AUTH_INFO).length === 0) return undefined;
  return { actual: 'it came before the code was compared: the code was wrong', evidence: wrong.evidence };
}

/** Steps in which each call is allowed. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  [SAVE_AUTH_INFO]: ['confirmOtp', 'reportLink', 'requestOtp'],
  [SAVE_EXCHANGE_TOKEN]: ['exchangeToken'],
};

function judgePlace(journal: JournalView): Finding {
  const given = new Map(
    journal
      .allSteps('exchangeToken')
      .flatMap((played): [string, PlayedStep][] =>
        played.result.kind === 'done' ? [[played.result.values.exchangeToken ?? '', played]] : [],
      ),
  );
  for (const save of journal.internalCalls) {
    const [played, call] = [journal.stepOf(save), save.facts.call];
    const places = PLACES[call?.method ?? ''];
    if (!played || !places || places.includes(played.step.step)) continue;
    const late =
      call?.method === SAVE_AUTH_INFO ? isLate(journal, save, personOf(played)) : given.has(call?.exchangeToken ?? '');
    if (late) continue;
    return fail({
      expected: 'save_auth_info at a sign-in or a report, save_exchange_token at a request for an exchange token',
      actual: `${call?.method} was sent at "${played.step.label}"`,
      evidence: played.evidence,
      advice: 'Save a session once, when it is opened or its link is reported; an exchange token when it is asked for.',
    });
  }
  const control = journal.step(steps.token);
  if (!control) return notRun(journal, steps.token);
  if (control.result.kind !== 'done' || sentTo(control, SAVE_EXCHANGE_TOKEN).length === 0)
    return inconclusive('a linked user was given no exchange token', control.evidence);
  return pass(control.evidence);
}

export const whoseSessionChecks: readonly Check[] = [
  check({
    id: 'saved-session-is-the-given-one',
    title: 'authInfo of each save_auth_info is user and token of the session that its step belongs to',
    requirements: ['1-pair-per-session', '1-session-saved-after-link'],
    scenarios: [returningUser, whoseSession],
    judge: judgeWhose,
  }),
  check({
    id: 'no-save-before-confirmation',
    title: 'No session is saved before the code was confirmed',
    requirements: ['1-phone-confirmed', '1-sign-in-comes-first'],
    scenarios: [whoseSession],
    judge: judgeEarly,
  }),
  check({
    id: 'no-save-in-other-steps',
    title: 'Sessions are saved at sign-ins and reports alone, exchange tokens when they are asked for',
    requirements: ['K-saves-in-their-place'],
    scenarios: [whoseSession],
    judge: judgePlace,
  }),
  check({
    id: 'wrong-code-with-sign-refused',
    title: 'A wrong code opens no session, although the sign-in brings the right user_sign',
    requirements: ['1-phone-confirmed'],
    scenarios: [whoseSession],
    judge: (journal) =>
      refusedStep(journal, {
        control: steps.right,
        attempt: steps.wrong,
        expected: 'the sign-in is refused',
        advice: 'Compare the code first, whatever else the sign-in brings: a user_sign confirms no phone.',
      }),
  }),
];
