/** Helpers for scenarios in which a client's request for a code names two phones instead of one. */
import type { RequestChange } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../people/driver.ts';

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
    // A fixed code is the same for everybody, so it counts only where messages are counted.
    isSentToBoth: driver.adapter.countsMessages && first !== undefined && first === second,
  });
  return [first, second];
}

/** Wraps a change of requests, to say whether it altered the last one. */
export function noting(change: RequestChange): { change: RequestChange; isChanged: () => boolean } {
  let isChanged = false;
  return {
    change(request) {
      const changed = change(request);
      isChanged =
        changed.body !== request.body || changed.path !== request.path || changed.method !== request.method;
      return changed;
    },
    isChanged: () => isChanged,
  };
}

export const NOTHING_TO_DOUBLE =
  'the phone is no member, field or parameter of its own in any request, so it cannot be named twice';
