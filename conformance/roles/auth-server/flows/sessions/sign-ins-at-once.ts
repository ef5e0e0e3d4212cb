import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import type { User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

const NAMES = ['Cleo', 'Dora'] as const;

/** The first sign-in, and the one at the same moment as the other user's. */
type Returned = { first: PlayedStep | undefined; again: PlayedStep };

function ownSessions(one: Returned, two: Returned): Judgement {
  const shownBy = [one.again, two.again];
  const bad = shownBy.find((played) => !isDone(played));
  if (!bad && yielded(one.again, 'token') === yielded(two.again, 'token'))
    return fault('two sessions', 'both users were given the same session', ...shownBy);
  const isOthers = ({ first, again }: Returned, other: Returned) =>
    first !== undefined &&
    other.first !== undefined &&
    isDone(again) &&
    yielded(again, 'user') === yielded(other.first, 'user') &&
    yielded(first, 'user') !== yielded(other.first, 'user');
  if (isOthers(one, two) || isOthers(two, one))
    return fault("each user's own session", "one was given the other's user", ...shownBy);
  return bad && unclear(`a sign-in did not succeed (${describe(bad.result)})`, bad);
}

export const signInsAtOnce = flow({
  id: 'sign-ins-at-once',
  title: 'Two linked users return at the same moment',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  waits: ({ resend }) => resend,
  async play(driver) {
    const users: User[] = [];
    for (const name of NAMES) users.push(await driver.user(name));
    for (const [index, name] of NAMES.entries()) {
      await driver.signIn(users[index] as User, `${name} signs in`);
      await driver.link(users[index] as User, `${name} links`);
    }
    if (!(await driver.passResendPause())) return;
    // Codes are requested one after another. Only the confirmations come at the same moment.
    const attempts = [];
    for (const [index, name] of NAMES.entries()) {
      const { userSign = '', ...user } = users[index] as User;
      const device = driver.otherDevice(user, `${name}'s other device`);
      const code = await driver.code(device, `${name} requests a code`);
      const label = `${name} returns at the same moment as the other`;
      attempts.push({ user: device, step: 'confirmOtp' as const, label, options: { code, userSign } });
    }
    await driver.atOnce(attempts);
  },
  checks: [
    check({
      id: 'sign-ins-at-once-apart',
      title: 'Users who return at the same moment are each given their own session',
      requirements: ['K-requests-apart'],
      judge(steps) {
        const [cleo, dora] = NAMES.map((name) => ({
          first: steps.find(`${name} signs in`),
          again: steps.of(`${name} returns at the same moment as the other`),
        })) as [Returned, Returned];
        return ownSessions(cleo, dora);
      },
      advice: 'Keep the session that is being opened in a variable of its own request.',
    }),
  ],
});
