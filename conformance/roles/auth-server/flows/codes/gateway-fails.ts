/**
 * The scenario `gateway-fails`: the SMS gateway, which the kit plays, refuses a message, answers an error
 * with HTTP 200, or is silent. Nobody may get in by that, others are served, and the next request brings a
 * code.
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import {
  type FailingGateway,
  GATEWAY_WORDS,
  type GatewayFailure,
  REFUSAL_DELAY_MS,
} from '../../adapter/otp/gateway-failures.ts';
import type { Driver, User } from '../../people/driver.ts';
import { check, flow } from '../flow.ts';
import { isDone } from '../step-values.ts';

const WAYS: readonly GatewayFailure[] = ['refuses', 'error in a 200', 'silence'];
const PEOPLE = { refuses: 'Rik', 'error in a 200': 'Eva', silence: 'Sam' } as const;

/** One person for each failure, one before it, and one meanwhile. */
const PEOPLE_COUNT = WAYS.length + 2;

/** How long (ms) the gateway is silent at most, where another user is not served meanwhile. */
const MAX_SILENCE_MS = 1_500;

/** Limits the wait (ms) for a code that must come. */
const MESSAGE_WAIT_MS = 5_000;

// Labels of steps.
const USUAL = 'a code from a gateway that works';
const asks = (how: GatewayFailure) => `a code, and the gateway fails: ${how}`;
const asksAgain = (how: GatewayFailure) => `a code after the gateway failed: ${how}`;
const again = (how: GatewayFailure) => `signs in after the gateway failed: ${how}`;
const empty = (how: GatewayFailure) => `an empty code, and the gateway failed: ${how}`;
const zeros = (how: GatewayFailure) => `zeros for a code, and the gateway failed: ${how}`;
const MEANWHILE = 'another user signs in while the gateway is silent';

const NO_GATEWAY = `the messages do not come to the kit in place of an SMS gateway, as the file has no otp.sink, or it names fewer than ${PEOPLE_COUNT} phones`;

export const gatewayFails = flow({
  id: 'gateway-fails',
  title: 'The SMS gateway refuses a message, answers an error with HTTP 200, and is silent',
  needs: ['requestOtp', 'confirmOtp'],
  people: PEOPLE_COUNT,
  codes: 8,
  waits: ({ resend }) => resend,
  async play(driver) {
    if (!driver.adapter.failFor || driver.freePeople < PEOPLE_COUNT) return;
    const ulf = await driver.user('Ulf');
    const usual = await driver.codes.request(ulf, USUAL, { waitMs: MESSAGE_WAIT_MS });
    await driver.perform(ulf, 'confirmOtp', 'Ulf signs in', { code: usual.code ?? '' });
    const users: User[] = [];
    for (const how of WAYS) {
      const user = await driver.user(PEOPLE[how]);
      users.push(user);
      const failing = driver.adapter.failFor(user.phone, how);
      try {
        await askWithout(driver, { user, how, failing, usualMs: usual.took });
      } finally {
        failing.end();
      }
      await tryWithout(driver, user, how);
    }
    if (!(await driver.passResendPause())) return;
    for (const [index, how] of WAYS.entries()) await askAgain(driver, users[index] as User, how);
  },
  checks: [
    check({
      id: 'no-sign-in-without-gateway',
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
          : { unclear: 'nobody could sign in with a right code', shownBy: [control] };
      },
      advice: 'Refuse every sign-in without the code that was drawn, whatever the gateway said.',
    }),
    check({
      id: 'gateway-refusal-told',
      title: 'A server that waits for the SMS gateway does not call a refused message sent',
      requirements: ['K-gateway-refusal-told'],
      leftOut: NO_GATEWAY,
      judge: refusalTold,
      advice:
        'Where you wait for the gateway, answer its refusal with an error, and start no pause. Or send in the background, alike for all phones.',
    }),
    check({
      id: 'code-after-gateway-failure',
      title: 'After a failure of the SMS gateway the next request brings a code that confirms',
      requirements: ['K-gateway-failure-ends'],
      leftOut: NO_GATEWAY,
      control: ['Ulf signs in'],
      judge: (steps) => WAYS.map((how) => worksAgain(steps, how)).find((each) => each !== undefined),
      advice:
        'Forget a code whose message failed, and what was counted for it; let the next request draw and send another one.',
    }),
    check({
      id: 'gateway-failure-not-passed-on',
      title: 'What the SMS gateway says, and where it is, is not handed to the client',
      requirements: ['K-gateway-failure-kept'],
      leftOut: NO_GATEWAY,
      judge: passedOn,
      advice: 'Log what the gateway said, and tell the client in words of your own that no code was sent.',
    }),
    check({
      id: 'others-served-while-gateway-silent',
      title: 'A message that the SMS gateway does not answer holds up no other user',
      requirements: ['K-gateway-silence-borne'],
      leftOut: NO_GATEWAY,
      control: ['Ulf signs in'],
      judge(steps) {
        const played = steps.of(MEANWHILE);
        const isHeldUp = steps.observed(MEANWHILE)?.isHeldUp === true;
        if (isDone(played) && !isHeldUp) return undefined;
        return {
          expected: 'the other user is served while the gateway is silent',
          actual: isHeldUp ? 'the other user waited until the gateway had ended' : 'the sign-in failed',
          shownBy: [played],
          timeSensitive: true,
        };
      },
      advice: 'Let no message wait for another one, and hold no lock while the gateway is called.',
    }),
  ],
});

type FailingRequest = { user: User; how: GatewayFailure; failing: FailingGateway; usualMs: number };

/** Requests a code while the gateway fails, and notes whether the server waited for the gateway. */
async function askWithout(driver: Driver, { user, how, failing, usualMs }: FailingRequest): Promise<void> {
  const asked = driver.codes.request(user, asks(how), { defect: `the gateway fails: ${how}` });
  if (how === 'silence') {
    const isHeldUp = await othersAreHeldUp(driver);
    driver.observe(MEANWHILE, { isHeldUp });
    failing.end();
  }
  const { took } = await asked;
  const { hasAnswered, codes, address } = failing;
  const isLate = took - usualMs > REFUSAL_DELAY_MS / 2;
  driver.observe(asks(how), { waited: hasAnswered && isLate, messages: codes.length, address });
  // A server that sends in the background learns of the refusal only now.
  if (how === 'refuses' && codes.length > 0 && !failing.hasAnswered) await driver.wait(REFUSAL_DELAY_MS);
  for (const code of codes) if (code !== undefined) driver.codes.withheld(user, code);
}

/** Signs another user in while the gateway is silent; true when that took until the silence was ended. */
async function othersAreHeldUp(driver: Driver): Promise<boolean> {
  const other = await driver.user('Ole');
  const served = driver.trySignIn(other, MEANWHILE).then(() => false);
  const silence = driver.wait(MAX_SILENCE_MS).then(() => true);
  return Promise.race([served, silence]);
}

/** Tries to sign in with what is no code. */
async function tryWithout(driver: Driver, user: User, how: GatewayFailure): Promise<void> {
  const defect = 'no code was sent';
  // An empty `requestSeq` sends the values of the newest request: no code names another one.
  const input = { defect, requestSeq: '' };
  await driver.perform({ ...user }, 'confirmOtp', empty(how), {
    ...input,
    code: '',
    codeInPlace: { json: '' },
  });
  await driver.perform({ ...user }, 'confirmOtp', zeros(how), { ...input, code: '000000' });
}

/** Requests a code from a gateway that works again, and signs in with it. */
async function askAgain(driver: Driver, user: User, how: GatewayFailure): Promise<void> {
  const { code } = await driver.codes.request(user, asksAgain(how), { waitMs: MESSAGE_WAIT_MS });
  if (code !== undefined) await driver.perform(user, 'confirmOtp', again(how), { code });
}

/** Judges whether a code came and confirmed after this failure. */
function worksAgain(steps: Steps, how: GatewayFailure): Judgement {
  const [asked, signedIn] = [steps.of(asksAgain(how)), steps.find(again(how))];
  if (signedIn && isDone(signedIn)) return undefined;
  return {
    expected: 'a code that confirms, once the gateway works and the pause is over',
    actual: isDone(asked) && !signedIn ? 'no code came' : describe((signedIn ?? asked).result),
    shownBy: [signedIn ?? asked],
    timeSensitive: true,
  };
}

/** Judges whether a server that waited for the refusal of the gateway called the message sent. */
function refusalTold(steps: Steps): Judgement {
  const asked = steps.of(asks('refuses'));
  const seen = steps.observed(asks('refuses'));
  if (!isDone(steps.of(USUAL))) return { unclear: 'no code could be requested', shownBy: [asked] };
  if (!isDone(asked)) return { right: [asked] };
  if (Number(seen?.messages) === 0) return { notApplicable: 'no message came to the gateway meanwhile' };
  if (seen?.waited !== true)
    return {
      notApplicable: 'the client is answered before the gateway: the server cannot know of its refusal',
    };
  return {
    expected: 'an error: the gateway had refused the message before the client was answered',
    actual: 'the client was told that a code was sent',
    shownBy: [asked],
    timeSensitive: true,
  };
}

/** Judges whether an answer to a client has words of the gateway or its address. */
function passedOn(steps: Steps): Judgement {
  const asked = WAYS.map((how) => ({ played: steps.of(asks(how)), seen: steps.observed(asks(how)) }));
  const told = asked.filter(({ played, seen }) => tellsOf(played, [GATEWAY_WORDS, String(seen?.address)]));
  if (told.length > 0)
    return {
      expected: 'an error in words of your own',
      actual: 'an answer to the client has words or the address of the gateway',
      shownBy: told.map(({ played }) => played),
    };
  const met = asked.filter(({ seen }) => Number(seen?.messages) > 0);
  return met.length > 0
    ? { right: met.map(({ played }) => played) }
    : { notApplicable: 'no message came to the gateway meanwhile' };
}

/** Whether an answer of this step to the client has one of these texts. */
const tellsOf = ({ exchanges }: PlayedStep, texts: readonly string[]) =>
  exchanges.some((exchange) => texts.some((text) => answerOf(exchange).includes(text)));

const answerOf = ({ link, response }: ExchangeEntry) =>
  link === 'client->auth' && response ? `${response.body}\n${response.headers.join('\n')}` : '';
