/** Phones that a server may confuse: with the same last ten digits, or requested at the same moment. */
import type { Driver, User } from '../../player/driver.ts';
import { scenario } from '../scenario.ts';

/** Numbers of this length have a country code before their last ten digits. */
const FULL_DIGITS = 11;

export const sameEnding = scenario({
  id: 'same-ending',
  title: 'A phone with the same last ten digits and another country code is confirmed',
  needs: ['requestOtp', 'confirmOtp'],
  codes: 2,
  waits: ({ resend }) => resend,
  steps: {
    signIn: 'Nia signs in',
    requests: "a code for the phone that ends as Nia's",
    confirm: "confirms the phone that ends as Nia's",
  },
  async run(driver, steps) {
    const { adapter } = driver;
    if (!adapter.countsMessages || Number.isFinite(adapter.phoneCount)) return;
    const nia = await driver.user('Nia');
    if (nia.phone.replace(/\D/g, '').length < FULL_DIGITS) return;
    await driver.signIn(nia, steps.signIn);
    // A server that confuses the two phones has one pause for both.
    if (!(await driver.passResendPause())) return;
    const before = await driver.messagesTo(nia);
    const other = await driver.userAt(
      'Ned',
      nia.phone.replace(/\d/, (digit) => (digit === '4' ? '5' : '4')),
    );
    const { code, messages } = await driver.codes.request(other, steps.requests, { waitMs: MESSAGE_WAIT_MS });
    driver.observe(steps.requests, { messages, messagesToOther: (await driver.messagesTo(nia)) - before });
    if (code === undefined) return;
    const result = await driver.perform(other, 'confirmOtp', steps.confirm, { input: { code } });
    driver.observe(steps.confirm, { isForeign: result.kind === 'done' && result.values.user === nia.user });
  },
});

/** Limits the wait (ms) for a message that need not come. */
const MESSAGE_WAIT_MS = 1_500;

/** The number of people who request codes at the same moment. */
const ASKING_COUNT = 4;

export const phonesAtOnce = scenario({
  id: 'phones-at-once',
  title: 'Several people request codes at the same moment, and each confirms with their own',
  needs: ['requestOtp', 'confirmOtp'],
  people: ASKING_COUNT,
  steps: {
    request: 'requests a code, all at once',
    confirm: 'confirms the code that came to the own phone',
    swapped: "confirms the code that came to another one's phone",
  },
  async run(driver, steps) {
    if (!driver.adapter.countsMessages || driver.freePeople < ASKING_COUNT) return;
    const users: User[] = [];
    for (let number = 1; number <= ASKING_COUNT; number++) users.push(await driver.user(`Pia ${number}`));
    const before = await Promise.all(users.map((user) => driver.messagesTo(user)));
    await driver.codes.take(ASKING_COUNT);
    const asked = await driver.atOnce(
      users.map((user) => ({ user, step: 'requestOtp' as const, label: steps.request })),
    );
    const sent = users.filter((_, index) => asked[index]?.kind === 'done');
    const came = await Promise.all(users.map((user, index) => newest(driver, user, before[index] ?? 0, sent)));
    driver.observe(steps.request, {
      asked: sent.length,
      messages: came.reduce((sum, { count }) => sum + count, 0),
      most: Math.max(...came.map(({ count }) => count)),
      without: users.filter((user, index) => sent.includes(user) && came[index]?.count === 0).length,
    });
    for (const [index, user] of users.entries()) {
      const code = came[index]?.code;
      if (code === undefined) continue;
      const own = await driver.perform(user, 'confirmOtp', steps.confirm, { input: { code } });
      const others = came.flatMap((each, place) => (place === index || each.code === undefined ? [] : [each.code]));
      if (own.kind !== 'refused' || others.length === 0) continue;
      for (const other of others) {
        const result = await driver.perform({ ...user }, 'confirmOtp', steps.swapped, {
          defect: 'the code came to another phone',
          input: { code: other, requestSeq: '' },
        });
        if (result.kind === 'done') driver.observe(steps.swapped, { isOpened: true });
      }
    }
  },
});

/**
 * Returns the newest code of a user and the number of messages; does not wait for a user whose request was
 * refused.
 */
async function newest(driver: Driver, user: User, since: number, sent: readonly User[]) {
  const found = sent.includes(user) ? await driver.codes.newest(user, since) : undefined;
  return found ?? { code: undefined, count: (await driver.messagesTo(user)) - since };
}
