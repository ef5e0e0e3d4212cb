/** Exchange tokens are asked for without a session, with an invented one and with mixed parts. */
import type { FlowCheck, FlowChecks } from '../../../../engine/check/flow.ts';
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { controlOf, flow, refused, unrefused } from '../flow.ts';
import { isDone, yielded } from '../step-values.ts';

const MIXED = "with another user's token";

/** The request must be refused, and nothing be sent to the EHR server. */
const opensNothing = refused('the request is refused', { nothingSent: true });

type Attempted = Pick<FlowCheck, 'title'> & Partial<Pick<FlowCheck, 'requirements' | 'explains'>>;

/** The `attempt` must have been played; the set-up may leave out the `others`. */
function sessionCheck(about: Attempted, attempt: string, ...others: readonly string[]): FlowCheck {
  const wrong = (steps: Steps, label: string) => unrefused(steps.all(label), opensNothing);
  return {
    requirements: ['K-session-required'],
    ...about,
    settled: (steps) => [attempt, ...others].map((label) => wrong(steps, label)).find(isProof),
    judge(steps) {
      steps.of(attempt);
      return [attempt, ...others].map((label) => wrong(steps, label)).find((found) => found !== undefined);
    },
    advice:
      'Verify the whole of the session, and the user where one is named, against a live session before anything is sent to the EHR server.',
  };
}

/** Whether a judgement is a fault even where the control, a request with the right session, failed. */
const isProof = (found: Judgement) => found !== undefined && 'isProof' in found && found.isProof === true;

/** A server that goes by a cookie alone is right to ignore the user in the request. */
function goesByKeptValue(steps: Steps): Judgement {
  const [played, owner] = [steps.find(MIXED), steps.find('Lea signs in')];
  const isKept = steps.allObserved(MIXED).at(-1)?.shownByKeptValue === true;
  if (!isKept || !played || !owner || !isDone(played) || !isDone(owner)) return undefined;
  const info = sentTo(played, SAVE_EXCHANGE_TOKEN).at(-1)?.facts.call;
  if (info?.user !== yielded(owner, 'user') || info?.token !== yielded(owner, 'token')) return undefined;
  return {
    notApplicable:
      'a kept value or a module shows the session, and the server goes by it alone: the exchange token is of that session, whoever is named beside it',
  };
}

const wrongSessionChecks: FlowChecks = {
  'exchange-token-needs-session': sessionCheck(
    { title: 'No exchange token is given without a session' },
    'without a session',
    'without the token and what carries it',
  ),
  'invented-session-refused': sessionCheck(
    {
      title: 'No exchange token is given for an invented token',
      explains: ['mixed-session-refused', 'report-needs-session', 'deletion-of-own-user', 'own-user-sign'],
    },
    'with an invented token',
    'with an invented token and no user',
  ),
  'mixed-session-refused': {
    title: 'No exchange token is given for the user of one session with the token of another',
    requirements: ['K-session-required'],
    settled: goesByKeptValue,
    advice:
      'Verify user and token together against a live session before anything is sent to the EHR server.',
  },
  'part-of-session-refused': sessionCheck(
    {
      title: 'No exchange token is given for a token that is right in part alone',
      requirements: ['K-session-compared-whole', 'K-session-required'],
    },
    'with one character of the token changed',
    'with the last character of the token changed',
    'with half of the token',
  ),
};

export const wrongSessions = flow({
  id: 'wrong-sessions',
  title: 'Exchange tokens are asked for without a session, with an invented one, and with the parts of two',
  people: 2,
  async play(driver) {
    const [kim, lea] = [await driver.signedIn('Kim'), await driver.signedIn('Lea')];
    await driver.mustSucceed(kim, 'exchangeToken', 'with the right session');
    // How a request shows its session: by the user, or by a value kept from the sign-in.
    const { user: namesUser, kept } = driver.whoCalls('exchangeToken');
    const defect = 'the token was never given out';
    const invented = driver.spoiltSession(kim, 'invented');
    await driver.perform({ ...kim }, 'exchangeToken', 'with an invented token', { defect, ...invented });
    if (namesUser)
      await driver.perform({ ...kim }, 'exchangeToken', 'with an invented token and no user', {
        defect,
        ...invented,
        user: '',
      });
    for (const [how, label] of [
      ['changed', 'with one character of the token changed'],
      ['last changed', 'with the last character of the token changed'],
      ['cut', 'with half of the token'],
    ] as const)
      await driver.perform({ ...kim }, 'exchangeToken', label, { defect, ...driver.spoiltSession(kim, how) });
    if (namesUser) {
      driver.observe(MIXED, { shownByKeptValue: kept });
      await driver.perform({ ...kim }, 'exchangeToken', MIXED, {
        defect: 'user and token belong to two sessions',
        token: lea.token as string,
        expects: [{ ...opensNothing, check: 'mixed-session-refused' }],
      });
    } else {
      driver.note(
        'A client of this server names no user beside its token, so the parts of two sessions cannot be mixed.',
      );
    }
    const noSession = { defect: 'there is no session at all', withoutSession: true } as const;
    await driver.perform({ ...kim }, 'exchangeToken', 'without a session', noSession);
    const noToken = { defect: 'there is no token', withoutToken: true } as const;
    await driver.perform({ ...kim }, 'exchangeToken', 'without the token and what carries it', noToken);
    await driver.mustSucceed(kim, 'exchangeToken', 'with the right session again', {
      expects: controlOf(...Object.keys(wrongSessionChecks)),
    });
  },
  checks: wrongSessionChecks,
});
