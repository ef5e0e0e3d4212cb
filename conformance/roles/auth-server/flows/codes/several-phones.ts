/** Which phone a code confirms: another phone beside the own challenge, and two phones instead of one. */

import { type RequestChange, withValueInPlace } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../player/driver.ts';
import { type Label, scenario } from '../scenario.ts';

/** Two phones as one value: as text with a separator, and as a list. */
const TOGETHER = {
  'a comma between them': (first: string, second: string) => `${first},${second}`,
  'a semicolon between them': (first: string, second: string) => `${first};${second}`,
  'a line break between them': (first: string, second: string) => `${first}\n${second}`,
  'a list of both': (first: string, second: string) => [first, second],
} as const;

type Way = keyof typeof TOGETHER;
export const togetherWays = Object.keys(TOGETHER) as Way[];

export const severalPhones = scenario({
  id: 'several-phones',
  title: "A code is confirmed for another user's phone, and codes are requested for two phones in one value",
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  codes: 7,
  waits: ({ resend }) => resend,
  steps: {
    lea: 'Lea signs in',
    max: 'Max signs in',
    requests: 'Lea requests a code',
    other: "confirms her own code with Max's phone",
    own: 'confirms her own code with her own phone',
    request: (way: Way) => `a code for the phones of both, ${way}`,
  },
  async run(driver, steps) {
    const [lea, max] = [await driver.user('Lea'), await driver.user('Max')];
    await driver.signIn(lea, steps.lea);
    await driver.signIn(max, steps.max);
    if (!(await driver.passResendPause())) return;
    const code = await driver.code(lea, steps.requests);
    const other = noting(withValueInPlace(lea.phone, max.phone));
    const result = await driver.performChanged({ ...lea }, 'confirmOtp', steps.other, {
      change: other.change,
      defect: 'the phone is of another user, everything else her own',
      input: { code },
    });
    driver.observe(steps.other, {
      isChanged: other.isChanged(),
      isForeign: result.kind === 'done' && result.values.user === max.user,
    });
    await driver.perform({ ...lea }, 'confirmOtp', steps.own, { input: { code } });
    if (!driver.adapter.countsMessages) return;
    for (const way of togetherWays) {
      const two = TOGETHER[way](max.phone, lea.phone);
      const asked = await requestOfBoth(driver, [max, lea], steps.request(way), withValueInPlace(max.phone, two));
      // Where nothing was sent there is no pause to wait for.
      if (asked && !(await driver.passResendPause())) return;
    }
  },
});

/**
 * Requests a code for both phones by a changed request of the first user, and records whether both got the
 * same code.
 * @returns the codes that came; undefined when the request failed
 */
export async function requestOfBoth(
  driver: Driver,
  users: readonly [User, User],
  label: Label,
  change: RequestChange,
): Promise<readonly [string | undefined, string | undefined] | undefined> {
  const before = [await driver.messagesTo(users[0]), await driver.messagesTo(users[1])] as const;
  const noted = noting(change);
  const asked = await driver.performChanged({ ...users[0] }, 'requestOtp', label, {
    change: noted.change,
    defect: 'the request names two phones',
  });
  if (asked.kind !== 'done') {
    driver.observe(label, { isChanged: noted.isChanged() });
    return undefined;
  }
  const [first, second] = await Promise.all([
    driver.codes.after(users[0], before[0]),
    driver.codes.after(users[1], before[1]),
  ]);
  driver.observe(label, {
    isChanged: noted.isChanged(),
    isSentToBoth: driver.adapter.countsMessages && first !== undefined && first === second,
  });
  return [first, second];
}

/** Returns the change, and a function that says whether it changed anything. */
export function noting(change: RequestChange): { change: RequestChange; isChanged: () => boolean } {
  let isChanged = false;
  return {
    change(request) {
      const made = change(request);
      isChanged = made.body !== request.body || made.path !== request.path || made.method !== request.method;
      return made;
    },
    isChanged: () => isChanged,
  };
}
