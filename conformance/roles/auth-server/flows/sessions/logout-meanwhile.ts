import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { LATE_MS } from '../../../../engine/wire/troubles.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import { whileHeld } from '../../people/time/overlap.ts';
import { answeredAt, CLOCK_MARGIN_MS, endedRefused } from '../ending.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, wasTold, yielded } from '../step-values.ts';

const TOKEN = 'exchange token during the logout';
const LOGOUT = 'log out meanwhile';
const BEFORE = 'exchange token before the logout';
const AFTER = 'exchange token after both';

/** Judges a token that the EHR server acknowledged only after the logout was answered. */
function noneAfterLogout(asked: PlayedStep, ended: PlayedStep, journal: JournalView): Judgement {
  if (!isDone(ended)) return unclear(`the logout did not succeed (${describe(ended.result)})`, ended);
  const shownBy = [asked, ended];
  if (sentTo(asked, SAVE_EXCHANGE_TOKEN).length === 0)
    return unclear(
      'the EHR server was not called, so nothing was under way when the session ended',
      ...shownBy,
    );
  const token = yielded(asked, 'exchangeToken');
  const save = journal
    .exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN)
    .find(({ facts }) => token !== undefined && facts.call?.exchangeToken === token);
  const lateMs = (save?.endedAt ?? 0) - answeredAt(ended);
  if (isDone(asked) && save?.facts.reply?.result && lateMs > CLOCK_MARGIN_MS)
    return fault(
      'the request is refused: its session has ended',
      `the EHR server acknowledged the token ${lateMs} ms after the logout was answered, and the client was given it`,
      ...shownBy,
      save,
    );
  if (isDone(asked) || wasTold(asked)) return undefined;
  return unclear(`the request was not answered (${describe(asked.result)})`, asked);
}

export const logoutMeanwhile = flow({
  id: 'logout-meanwhile',
  title: 'A session is logged out while its request for an exchange token is at the EHR server',
  needs: ['confirmOtp', 'exchangeToken', 'logout'],
  async play(driver) {
    const fen = await driver.user('Fen');
    await driver.signIn(fen, 'sign in');
    await driver.mustSucceed(fen, 'exchangeToken', BEFORE);
    const options = { defect: 'the session is logged out meanwhile' };
    // The kit's EHR server answers the token's save late, and the session is logged out meanwhile.
    await whileHeld(
      driver,
      { user: fen, step: 'exchangeToken', label: TOKEN, options },
      { method: 'exchange-token', name: 'late', delay: LATE_MS },
      () => driver.perform(fen, 'logout', LOGOUT),
    );
    await driver.perform(fen, 'exchangeToken', AFTER, { defect: 'the session was logged out' });
  },
  checks: [
    check({
      id: 'no-token-after-logout',
      title: 'An exchange token is not given once the logout of its session was answered',
      requirements: ['K-session-ends'],
      judge: (steps, journal) => noneAfterLogout(steps.of(TOKEN), steps.of(LOGOUT), journal),
      advice:
        'Look again whether the session is still there when the EHR server has answered, before the token is given out.',
    }),
    check({
      id: 'late-request-revives-nothing',
      title: 'A session stays ended when a request that its logout overtook has ended',
      requirements: ['K-session-ends'],
      control: [BEFORE, LOGOUT],
      expect: { [AFTER]: endedRefused },
      advice:
        'Write what a request changes of its session only where the session is still there: a request that was under way must not put an ended one back.',
    }),
  ],
});
