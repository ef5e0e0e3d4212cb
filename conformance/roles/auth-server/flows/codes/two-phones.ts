/** Requests that name two phones, and whether a change was made to a request. */
import type { RequestChange } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';

/**
 * Requests a code for both phones by a changed request of the first user, and records whether both got the
 * same code.
 * @returns the codes that came; undefined when the request failed
 */
export async function requestOfBoth(
  driver: Driver,
  users: readonly [User, User],
  label: string,
  change: RequestChange,
): Promise<readonly [string | undefined, string | undefined] | undefined> {
  const before = [await driver.messagesTo(users[0]), await driver.messagesTo(users[1])] as const;
  const noted = noting(change);
  const asked = await driver.perform({ ...users[0] }, 'requestOtp', label, {
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

export const NOTHING_TO_DOUBLE =
  'the phone is no member, field or parameter of its own in any request, so it cannot be named twice';
