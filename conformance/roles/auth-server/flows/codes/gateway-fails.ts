/** Codes whose SMS gateway refuses the message, fails or is silent. */
import type { GatewayFailure } from '../../adapter/adapter.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { isDone, unclear } from '../step-values.ts';

const WAYS: readonly GatewayFailure[] = ['refuses', 'error in a 200', 'silence'];
const PEOPLE = { refuses: 'Rik', 'error in a 200': 'Eva', silence: 'Sam' } as const;

/** One person for each failure, and one before it. */
const PEOPLE_COUNT = WAYS.length + 1;

/** How long (ms) the gateway is silent. */
const SILENCE_MS = 500;

/** Limits the wait (ms) for a code that must come. */
const MESSAGE_WAIT_MS = 5_000;

const USUAL = 'a code from a gateway that works';
const asks = (how: GatewayFailure) => `a code, and the gateway fails: ${how}`;
const empty = (how: GatewayFailure) => `an empty code, and the gateway failed: ${how}`;
const zeros = (how: GatewayFailure) => `zeros for a code, and the gateway failed: ${how}`;

const NO_GATEWAY = `the messages do not come to the kit in place of an SMS gateway, as the file has no otp.sink, or it names fewer than ${PEOPLE_COUNT} phones`;

export const gatewayFails = flow({
  id: 'gateway-fails',
  title: 'The SMS gateway refuses a message, answers an error with HTTP 200, and is silent',
  needs: ['requestOtp', 'confirmOtp'],
  people: PEOPLE_COUNT,
  codes: PEOPLE_COUNT,
  async play(driver) {
    if (!driver.adapter.failFor || driver.freePeople < PEOPLE_COUNT) return;
    const ulf = await driver.user('Ulf');
    const usual = await driver.codes.request(ulf, USUAL, { waitMs: MESSAGE_WAIT_MS });
    await driver.perform(ulf, 'confirmOtp', 'Ulf signs in', { code: usual.code ?? '' });
    for (const how of WAYS) {
      const user = await driver.user(PEOPLE[how]);
      await askUndelivered(driver, user, how);
      await confirmWithoutCode(driver, user, how);
    }
  },
  checks: {
    'no-sign-in-without-gateway': {
      title: 'Nobody signs in with an empty code or zeros after the SMS gateway failed',
      requirements: ['1-phone-confirmed'],
      leftOut: NO_GATEWAY,
      judge(steps) {
        const tried = WAYS.flatMap((how) => [steps.of(empty(how)), steps.of(zeros(how))]);
        const opened = tried.filter(isDone);
        if (opened.length > 0)
          return {
            expected: 'the sign-in is refused',
            actual: `a session was opened at ${opened.map(({ step }) => `"${step.label}"`).join(', ')}`,
            shownBy: opened,
          };
        const control = steps.of('Ulf signs in');
        return isDone(control)
          ? { right: [control, ...tried] }
          : unclear('nobody could sign in with a right code', control);
      },
      advice: 'Refuse every sign-in without the code that was drawn, whatever the gateway said.',
    },
  },
});

/** Requests a code whose message the gateway does not deliver. */
async function askUndelivered(driver: Driver, user: User, how: GatewayFailure): Promise<void> {
  const failing = driver.adapter.failFor?.(user.phone, how);
  const asked = driver.codes.request(user, asks(how), { defect: `the gateway fails: ${how}` });
  // A silent gateway loses the connection: a server may wait for its answer.
  if (how === 'silence') {
    await driver.time.wait(SILENCE_MS);
    failing?.end();
  }
  await asked;
  failing?.end();
  for (const code of failing?.codes ?? []) if (code !== undefined) driver.codes.learn(user, code);
}

async function confirmWithoutCode(driver: Driver, user: User, how: GatewayFailure): Promise<void> {
  const input = { defect: 'no code was sent', requestSeq: '' };
  const noCode = { code: '', codeInPlace: { json: '' } };
  await driver.perform({ ...user }, 'confirmOtp', empty(how), { ...input, ...noCode });
  await driver.perform({ ...user }, 'confirmOtp', zeros(how), { ...input, code: '000000' });
}
