import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_RETRIES } from '../../../../engine/wire/troubles.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';

/** No other request uses this path. */
export const REDIRECT_PATH = '/elsewhere/';

export const redirect = flow({
  id: 'redirect',
  title: 'The EHR server answers with a redirect to another address',
  needs: ['confirmOtp', 'exchangeToken'],
  async play(driver) {
    const uma = await driver.user('Uma');
    await driver.signIn(uma, 'sign in');
    await driver.mustSucceed(uma, 'exchangeToken', 'before the redirect');
    const end = driver.fault(
      uma,
      'exchange-token',
      { name: 'redirect', location: REDIRECT_PATH },
      MAX_RETRIES,
    );
    await driver.perform(uma, 'exchangeToken', 'while redirected', {
      defect: 'the EHR server answers with a redirect',
    });
    end();
    await driver.perform(uma, 'exchangeToken', 'after the redirect');
  },
  checks: [
    check({
      id: 'no-redirect-followed',
      title: 'Credentials of the internal channel follow no redirect',
      requirements: ['K-no-redirect'],
      control: ['before the redirect'],
      judge(steps, journal) {
        const played = steps.of('while redirected');
        const followed = journal
          .exchanges('auth->ehr')
          .filter(({ request }) => request.path.startsWith(REDIRECT_PATH));
        if (followed.length > 0)
          return fault(
            'no request to the other address',
            'the call was sent there with its credentials',
            played,
            ...followed,
          );
        return notRedirected(steps);
      },
      advice: 'Switch the following of redirects off for calls to the EHR server.',
    }),
    check({
      id: 'redirect-told',
      title: 'The client is told by an error when the EHR server answers with a redirect',
      requirements: ['K-failure-told'],
      control: ['before the redirect'],
      judge(steps) {
        const played = steps.of('while redirected');
        if (!isDone(played)) return notRedirected(steps);
        return fault('an error to the client', 'the client was told that it succeeded', played);
      },
      advice: 'A redirect is no acknowledgement: answer with an error.',
    }),
  ],
});

/** Says that no redirect was met where the EHR server was not called. */
function notRedirected(steps: Steps): Judgement {
  const played = steps.of('while redirected');
  if (played.exchanges.some(({ fault: met }) => met === 'redirect')) return undefined;
  return unclear('the EHR server was not called, so there was no redirect', played);
}
