/** Scenarios of replies that are right in an unusual form, and of one that is a redirect. */
import { isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { MAX_RETRIES, type Trouble, troubles } from '../../../../engine/wire/troubles.ts';
import { flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';

/** No other request uses this path. */
export const REDIRECT_PATH = '/elsewhere/';

const REDIRECTED = 'while redirected';

export const redirect = flow({
  id: 'redirect',
  title: 'The EHR server answers with a redirect to another address',
  async play(driver) {
    const uma = await driver.user('Uma');
    await driver.signIn(uma, 'sign in');
    await driver.mustSucceed(uma, 'exchangeToken', 'before the redirect');
    const away = { name: 'redirect', location: REDIRECT_PATH } as const;
    const end = driver.fault(uma, 'exchange-token', away, MAX_RETRIES);
    const defect = 'the EHR server answers with a redirect';
    await driver.perform(uma, 'exchangeToken', REDIRECTED, { defect });
    end();
    await driver.perform(uma, 'exchangeToken', 'after the redirect');
  },
  checks: {
    'no-redirect-followed': {
      title: 'Credentials of the internal channel follow no redirect',
      requirements: ['K-no-redirect'],
      judge(steps, journal) {
        const played = steps.of(REDIRECTED);
        const followed = journal
          .exchanges('auth->ehr')
          .filter(({ request }) => request.path.startsWith(REDIRECT_PATH));
        if (followed.length > 0)
          return {
            expected: 'no request to the other address',
            actual: 'the call was sent there with its credentials',
            shownBy: [played, ...followed],
          };
        return notRedirected(steps);
      },
      advice: 'Switch the following of redirects off for calls to the EHR server.',
    },
    'redirect-told': {
      title: 'The client is told by an error when the EHR server answers with a redirect',
      requirements: ['K-failure-told'],
      judge(steps) {
        const played = steps.of(REDIRECTED);
        if (!isDone(played)) return notRedirected(steps);
        return fault('an error to the client', 'the client was told that it succeeded', played);
      },
      advice: 'A redirect is no acknowledgement: answer with an error.',
    },
  },
});

function notRedirected(steps: Steps): Judgement {
  const played = steps.of(REDIRECTED);
  if (played.exchanges.some(({ fault: met }) => met === 'redirect')) return undefined;
  return unclear('the EHR server was not called, so there was no redirect', played);
}

const oddities = troubles.filter(({ right }) => right === 'success');

const before = (id: string) => `exchange token without ${id}`;
const asking = (id: string) => `exchange token: ${id}`;

function understood(steps: Steps, { id, words }: Trouble): Judgement {
  const control = steps.of(before(id));
  if (!isDone(control))
    return { unclear: `the control "${before(id)}" did not succeed (${describe(control.result)})` };
  // Where no link is reported, the session is saved when the user returns.
  const save = steps.find(`report: ${id}`) ?? steps.find(`return: ${id}`);
  const both = [steps.of(asking(id)), ...(save ? [save] : [])];
  const bad = both.find((played) => !isDone(played));
  if (bad)
    return {
      expected: 'the step succeeds, as it did a moment before',
      actual: `${describe(bad.result)} after ${words}`,
      shownBy: [bad],
      timeSensitive: true,
    };
  if (both.some(({ exchanges }) => exchanges.some(({ fault }) => fault === id))) return undefined;
  return unclear(`the EHR server was not called, so there was not ${words}`, ...both);
}

export const oddReplies = flow({
  id: 'odd-replies',
  title: 'The EHR server answers rightly, but with another type of id, late, or in parts',
  people: 2,
  codes: oddities.length,
  waits: ({ resend }) => resend,
  async play(driver) {
    await driver.forEach(
      oddities,
      ({ id }) => `odd ${id}`,
      async (user, { id, fault }) => {
        await driver.signIn(user, `sign in for ${id}`);
        const endControl =
          id === 'string-id' ? driver.fault(user, 'exchange-token', { name: 'number-id' }) : undefined;
        await driver.mustSucceed(user, 'exchangeToken', before(id));
        endControl?.();
        const ends = [driver.fault(user, 'exchange-token', fault), driver.fault(user, 'auth-info', fault)];
        await driver.perform(user, 'exchangeToken', asking(id));
        await driver.callEhr(user, 'authenticate', `authenticate: ${id}`);
        if (driver.adapter.has('reportLink')) await driver.perform(user, 'reportLink', `report: ${id}`);
        else if (user.userSign !== undefined && (await driver.time.passResendPause()))
          await driver.trySignIn(user, `return: ${id}`, { userSign: user.userSign });
        for (const end of ends) end();
      },
    );
  },
  checks: {
    'understands-reply': {
      title: 'A right reply of the EHR server is understood in each form that the interface allows',
      requirements: ['K-save-reply-in-any-shape', 'K-slow-reply-understood'],
      judge(steps) {
        const found = oddities
          .filter(({ id }) => steps.find(asking(id)))
          .map((odd) => understood(steps, odd));
        const faults = found.filter(isFault);
        const [first] = faults;
        if (first) return { ...first, actual: faults.map(({ actual }) => actual).join('; ') };
        for (const { id } of oddities) steps.of(asking(id));
        return found.find((each) => each !== undefined);
      },
      advice:
        'Compare the id of the reply as text, read the reply to its end, wait for the whole of the timeout, and take any object as result for success.',
    },
  },
});
