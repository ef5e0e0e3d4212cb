import { describe } from '../../../../engine/journal/describe-result.ts';
import type { Driver, User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';
import { NOT_COUNTED } from './guesses.ts';

/** The people who request codes at once: enough to meet on a shared variable, and as many as any file has. */
const ASKING_COUNT = 4;

const REQUEST = 'requests a code, all at once';
const CONFIRM = 'confirms the code that came to the own phone';
const SWAPPED = "confirms the code that came to another one's phone";

export const phonesAtOnce = flow({
  id: 'phones-at-once',
  title: 'Several people request codes at the same moment, and each confirms with their own',
  needs: ['requestOtp', 'confirmOtp'],
  people: ASKING_COUNT,
  async play(driver) {
    if (!driver.adapter.countsMessages || driver.freePeople < ASKING_COUNT) return;
    const users: User[] = [];
    for (let number = 1; number <= ASKING_COUNT; number++) users.push(await driver.user(`Pia ${number}`));
    const before = await Promise.all(users.map((user) => driver.messagesTo(user)));
    await driver.codes.take(ASKING_COUNT);
    const asked = await driver.atOnce(
      users.map((user) => ({ user, step: 'requestOtp' as const, label: REQUEST })),
    );
    const sent = users.filter((_, index) => asked[index]?.kind === 'done');
    const came = await Promise.all(
      users.map((user, index) => newest(driver, user, before[index] ?? 0, sent)),
    );
    driver.observe(REQUEST, {
      asked: sent.length,
      messages: came.reduce((sum, { count }) => sum + count, 0),
      most: Math.max(...came.map(({ count }) => count)),
      without: users.filter((user, index) => sent.includes(user) && came[index]?.count === 0).length,
    });
    for (const [index, user] of users.entries()) {
      const code = came[index]?.code;
      if (code === undefined) continue;
      const confirmed = await driver.perform(user, 'confirmOtp', CONFIRM, { code });
      const others = came.flatMap((each, place) =>
        place === index || each.code === undefined ? [] : [each.code],
      );
      if (confirmed.kind !== 'refused' || others.length === 0) continue;
      for (const other of others) {
        // A copy of the user: a foreign session must not become theirs, and no request is that of the code.
        const result = await driver.perform({ ...user }, 'confirmOtp', SWAPPED, {
          defect: 'the code came to another phone',
          code: other,
          requestSeq: '',
        });
        if (result.kind === 'done') driver.observe(SWAPPED, { isOpened: true });
      }
    }
  },
  checks: [
    check({
      id: 'codes-to-own-phones-at-once',
      title: 'Of several people who request codes at the same moment each is sent their own',
      requirements: ['K-code-to-one-phone'],
      judge(steps) {
        steps.of(REQUEST);
        const asked = steps.all(REQUEST);
        const { asked: people, messages, most, without } = steps.observed(REQUEST) ?? {};
        if (messages === undefined) return NOT_COUNTED;
        const isSwapped = steps.allObserved(SWAPPED).length > 0;
        if (isSwapped || (Number(without) > 0 && Number(most) > 1))
          return fault(
            'each code at the phone for which it was requested',
            isSwapped
              ? "somebody's session was opened by the code that came to another phone, and not by the one that came to their own"
              : `${people} people requested codes at the same moment and ${messages} messages came: ${most} to one phone, none to ${without} of the others`,
            ...asked,
          );
        const confirmed = steps.all(CONFIRM);
        const refused = confirmed.find((step) => !isDone(step));
        if (refused)
          return unclear(
            `a code that came to the own phone did not confirm it (${describe(refused.result)})`,
            ...asked,
          );
        return confirmed.length < 2
          ? unclear(`codes came to ${confirmed.length} of ${people} phones`, ...asked)
          : undefined;
      },
      advice:
        'Keep phone and code of a request in variables of that request alone: what requests share is overwritten by the next one.',
    }),
  ],
});

/** Returns the newest code and the number of messages. Only a request that succeeded is waited for. */
async function newest(driver: Driver, user: User, since: number, sent: readonly User[]) {
  const found = sent.includes(user) ? await driver.codes.newest(user, since) : undefined;
  return found ?? { code: undefined, count: (await driver.messagesTo(user)) - since };
}
