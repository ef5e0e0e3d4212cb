/** Codes that are wrong, used already or another user's are tried beside the right one. */
import type { Fault, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { controlOf, flow, unrefused } from '../flow.ts';
import { firstLink } from '../links/first-link.ts';
import { whoseSession } from '../sessions/whose-session.ts';
import { fault, gotError, isDone, unclear } from '../step-values.ts';
import { CAME_WITH_REFUSAL, CONFIRM_ADVICE, confirm, opensNoSession, otherCode } from './guesses.ts';

const carried = {
  carried: 'exchange token with what the refusal of the wrong code carries',
  inventedInstead: 'exchange token with an invented value in its place',
} as const;

const opened = {
  expected: 'a session only after a code, sent to the phone, was confirmed',
  actual: 'a session was opened for a phone that was sent no code, and for one whose code was wrong',
};

/** An invented value must have been refused: a server that accepts anything proves nothing. */
function sessionInRefusal(steps: Steps, refusal: string): Fault | undefined {
  const works = steps.all(carried.carried).find(isDone);
  const invented = steps.find(carried.inventedInstead);
  if (!works || !invented || !gotError(invented)) return undefined;
  return {
    expected: 'the sign-in is refused, and the refusal carries nothing that serves as a session',
    actual: 'the sign-in was refused, but an exchange token was given for a value that the refusal carried',
    shownBy: [...steps.all(refusal), works, invented],
  };
}

export const wrongCodes = flow({
  id: 'wrong-codes',
  title: 'Codes that are wrong, used already or sent to somebody else are tried beside the right one',
  needs: ['requestOtp', 'confirmOtp'],
  people: 3,
  async play(driver) {
    const [eve, fay, nobody] = [
      await driver.user('Eve'),
      await driver.user('Fay'),
      await driver.user('Nobody'),
    ];
    const unrequested = 'a code although none was requested';
    const unasked = 'no code was requested for this phone';
    await confirm(driver, nobody, unrequested, '000000', unasked, opensNoSession('no-session-without-code'));
    const code = await driver.code(eve, 'Eve requests a code');
    const differs = 'the code differs from the one sent';
    await confirm(driver, eve, 'wrong code', otherCode(code), differs, opensNoSession('wrong-code-refused'));
    await driver.tryCarried(eve, CAME_WITH_REFUSAL, carried);
    const fays = await driver.code(fay, 'Fay requests a code');
    // The two may be equal by chance; if a third one is, too, everybody has the same code.
    const third = "a third phone's code, where the first two are equal";
    const foreign = fays === code ? await driver.code(nobody, third) : code;
    const others = 'the code was sent to another phone';
    const isForeign = opensNoSession('foreign-code-refused');
    await confirm(driver, fay, "another phone's code", foreign, others, isForeign);
    const ofFay = { code: fays, expects: controlOf('foreign-code-refused') };
    await driver.perform(fay, 'confirmOtp', 'Fay: right code', ofFay);
    const ofEve = controlOf('no-session-without-code', 'wrong-code-refused', 'used-code-refused');
    await driver.perform(eve, 'confirmOtp', 'right code', { code, expects: ofEve });
    await confirm(driver, eve, 'used code', code, 'the code was used already');
  },
  checks: {
    'phone-confirmed': {
      title: 'No session is opened from a phone alone: its ownership is confirmed first',
      requirements: ['1-phone-confirmed'],
      also: [firstLink],
      judge(steps, journal) {
        // One of the two codes may be built in for tests; if both open a session, no code matters.
        const tried = [...steps.all('a code although none was requested'), ...steps.all('wrong code')];
        if (tried.length > 1 && tried.every(isDone)) return { ...opened, shownBy: tried };
        const signedIn = steps.in(firstLink).of('sign in');
        if (!isDone(signedIn))
          return unclear('nobody could be signed in, so nothing shows what a session takes', signedIn);
        if (journal.codes.length > 0) return undefined;
        return {
          expected: opened.expected,
          actual: 'the kit was given a session for a phone that it invented, and was asked for no code',
          shownBy: [signedIn],
          advice:
            'Send a code to the phone and open the session when it comes back. A sign-in for tests alone must not be what is judged.',
        };
      },
      advice: CONFIRM_ADVICE,
    },
    'no-session-without-code': {
      title: 'No session is opened for a phone to which no code was sent',
      requirements: ['1-phone-confirmed'],
      advice: CONFIRM_ADVICE,
    },
    'foreign-code-refused': {
      title: 'A code sent to one phone does not confirm another',
      requirements: ['1-phone-confirmed'],
      advice: CONFIRM_ADVICE,
    },
    'wrong-code-refused': {
      title: 'A wrong code opens no session',
      requirements: ['1-phone-confirmed'],
      also: [whoseSession],
      settled: (steps) =>
        sessionInRefusal(steps, 'wrong code') ??
        sessionInRefusal(steps.in(whoseSession), 'returns with a wrong code'),
      advice: CONFIRM_ADVICE,
    },
    'used-code-refused': {
      title: 'A code works once',
      requirements: ['K-code-once'],
      // Where the right code failed, the second attempt is the first use: its success proves nothing.
      judge: (steps) => unrefused([steps.of('used code')], opensNoSession()),
      advice: CONFIRM_ADVICE,
    },
    'wrong-code-refused-alike': {
      title: 'A wrong code is refused alike for a phone that has signed in before and for one that has not',
      requirements: ['K-known-unknown-alike'],
      also: [whoseSession],
      judge(steps) {
        // Wim, a known user, returns with a wrong code in `whose-session`. Eve's phone is new to the server.
        const returned = steps.in(whoseSession);
        const [known, unknown] = [returned.of('returns with a wrong code'), steps.of('wrong code')];
        const shownBy = [known, unknown];
        if (!shownBy.every(gotError)) return unclear('a wrong code was not refused', ...shownBy);
        const refusals = shownBy.map(({ result }) =>
          result.kind === 'refused' ? result : { status: 500, code: '', reason: '' },
        );
        const controls = [returned.find('returns with the right code'), steps.find('right code')];
        if (!controls.every((control) => control && isDone(control)))
          return unclear('the right code was refused, so a refusal proves nothing', ...shownBy);
        // HTTP 429: a limit on tries or requests. It may count what other scenarios did with the same phone.
        if (refusals.some(({ status }) => status === 429))
          return { notApplicable: 'a limit refused a wrong code' };
        // Numbers are replaced, because a refusal may say how many tries are left.
        const [ours, theirs] = refusals.map(({ status, code = '', reason = '' }) =>
          [status, code, reason.replace(/\d+/g, '0')].join(' '),
        );
        if (ours === theirs) return undefined;
        const actual = `known: ${describe(known.result)}; not known: ${describe(unknown.result)}`;
        return fault('the same refusal', actual, ...shownBy);
      },
      advice: 'Refuse a wrong code in the same way whether anybody has signed in with the phone or not.',
    },
  },
});
