/**
 * The scenario `odd-replies`: the kit's EHR server answers rightly, but in an unusual form: with another type
 * of id, late, or in parts. The authorization server must understand it (§2.1, §4).
 */
import type { Check } from '../../../../engine/check/check.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { check, type FlowCheck, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';
import { LATE_MS, type Oddity, oddities, troubleWords } from './troubles.ts';

// The requirements of the checks: of the time of a reply, and of its id and the members of its result.
const OF_TIME = { requirements: ['K-slow-reply-understood'] } as const;
const OF_MEMBERS = { requirements: ['K-save-reply-in-any-shape'] } as const;

/** The requirements of the check of each odd reply. */
const demandedBy: Readonly<Record<Oddity, Pick<Check, 'requirements'>>> = {
  'number-id': OF_MEMBERS,
  'string-id': OF_MEMBERS,
  late: OF_TIME,
  'split-reply': OF_TIME,
  'result-empty': OF_MEMBERS,
  'more-members': OF_MEMBERS,
};

/** Creates the check that the server understands this odd reply. */
function understands(name: Oddity): FlowCheck {
  return check({
    id: `understands-${name}`,
    title: `A right reply is understood when the EHR server ${troubleWords[name]}`,
    ...demandedBy[name],
    control: [`exchange token without ${name}`],
    judge(steps) {
      // Where no link is reported, the session is saved when the user returns.
      const save = steps.find(`report: ${name}`) ?? steps.find(`return: ${name}`);
      const both = [steps.of(`exchange token: ${name}`), ...(save ? [save] : [])];
      const bad = both.find((played) => !isDone(played));
      if (bad)
        return {
          expected: 'the step succeeds, as it did a moment before',
          actual: describe(bad.result),
          shownBy: [bad],
          timeSensitive: true,
        };
      if (both.some(({ exchanges }) => exchanges.some(({ fault }) => fault === name))) return undefined;
      return { unclear: 'the EHR server was not called, so there was no such reply', shownBy: both };
    },
    advice:
      'Compare the id of the reply as text, read the reply to its end, wait for the whole of the timeout, and take any object as result for success.',
  });
}

export const oddReplies = flow({
  id: 'odd-replies',
  title: 'The EHR server answers rightly, but with another type of id, late, or in parts',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  codes: oddities.length,
  waits: ({ resend }) => resend,
  async play(driver) {
    await driver.forEach(
      oddities,
      (name) => `odd ${name}`,
      async (user, name) => {
        await driver.signIn(user, `sign in for ${name}`);
        // The kit's EHR server answers with a string id in any case. So the control of that case uses a
        // number.
        const endControl =
          name === 'string-id' ? driver.fault(user, 'exchange-token', { name: 'number-id' }) : undefined;
        await driver.mustSucceed(user, 'exchangeToken', `exchange token without ${name}`);
        endControl?.();
        const fault = name === 'late' ? { name, delay: LATE_MS } : { name };
        const ends = [driver.fault(user, 'exchange-token', fault), driver.fault(user, 'auth-info', fault)];
        await driver.perform(user, 'exchangeToken', `exchange token: ${name}`);
        await driver.callEhr(user, 'authenticate', `authenticate: ${name}`);
        if (driver.adapter.has('reportLink')) await driver.perform(user, 'reportLink', `report: ${name}`);
        else if (user.userSign !== undefined && (await driver.passResendPause()))
          await driver.trySignIn(user, `return: ${name}`, { userSign: user.userSign });
        for (const end of ends) end();
      },
    );
  },
  checks: oddities.map(understands),
});
