/** Requests in which a member stands twice, with different values. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { StepName, StepResult } from '../../../../engine/journal/entry.ts';
import { type RequestChange, withDoubledMember } from '../../../../engine/wire/request-change.ts';
import { SAVE_EXCHANGE_TOKEN, sentTo } from '../../internal-calls.ts';
import type { Driver, User } from '../../people/driver.ts';
import type { ChangedOptions } from '../../people/steps.ts';
import { flow } from '../flow.ts';
import { controlDone, isDone, unclear, yielded } from '../step-values.ts';

/** Performs a step whose request is changed on its way, by a copy of the user, who keeps their own session. */
export async function performChanged(
  driver: Driver,
  user: User,
  step: StepName,
  label: string,
  { change, ...options }: ChangedOptions & { change: RequestChange },
): Promise<{ result: StepResult; isChanged: boolean }> {
  let isChanged = false;
  const noted: RequestChange = (request) => {
    const changed = change(request);
    isChanged = (['body', 'path', 'method'] as const).some((part) => changed[part] !== request[part]);
    return changed;
  };
  const result = await driver.perform({ ...user }, step, label, { ...options, change: noted });
  return { result, isChanged };
}

/** Whether a sign-in of somebody else opened a session of this user. */
export const isSessionOf = ({ user }: User, result: StepResult): boolean =>
  result.kind === 'done' && result.values.user === user;

/** Requests a code by a request that names both phones. Returns the codes that came, unless it was refused. */
export async function requestOfBoth(
  driver: Driver,
  users: readonly [User, User],
  label: string,
  change: RequestChange,
): Promise<readonly [string | undefined, string | undefined] | undefined> {
  const before = [await driver.messagesTo(users[0]), await driver.messagesTo(users[1])] as const;
  const options = { change, defect: 'the request names two phones' };
  const { result, isChanged } = await performChanged(driver, users[0], 'requestOtp', label, options);
  if (result.kind !== 'done') {
    driver.observe(label, { isChanged });
    return undefined;
  }
  const [first, second] = await Promise.all([
    driver.codes.after(users[0], before[0]),
    driver.codes.after(users[1], before[1]),
  ]);
  driver.observe(label, {
    isChanged,
    // A fixed code is the same for everybody, so it counts only where messages are counted.
    isSentToBoth: driver.adapter.countsMessages && first !== undefined && first === second,
  });
  return [first, second];
}

export const NOTHING_TO_DOUBLE =
  'the phone is no member, field or parameter of its own in any request, so it cannot be named twice';

/** Where the other person's phone, or user, stands in the request: after the right one, or before it. */
export const doubledPlaces = ['last', 'first'] as const;
type DoubledPlace = (typeof doubledPlaces)[number];

const confirmForTwo = (place: DoubledPlace) => `confirms for two phones, Jan's ${place}` as const;
export const requestForTwo = (place: DoubledPlace) =>
  `requests a code for two phones, Jan's ${place}` as const;
const useForTwo = (place: DoubledPlace) => `confirms the code for two phones, Jan's ${place}` as const;
const exchangeForTwo = (place: DoubledPlace) => `exchange token for two users, Jan ${place}` as const;

export const doubledMembers = flow({
  id: 'doubled-members',
  title: 'Requests name two phones in the place of one or, without codes, two users',
  needs: ['confirmOtp'],
  people: 2,
  waits: ({ resend }) => 3 * resend,
  async play(driver) {
    const [ivo, jan] = [await driver.signedIn('Ivo'), await driver.signedIn('Jan')];
    // Without codes anybody may sign in with any phone, so the exchange token is tried instead.
    if (!driver.adapter.has('requestOtp')) return askForTwo(driver, ivo, jan);
    if (!(await driver.time.passResendPause())) return;
    const code = await driver.code(ivo, 'Ivo requests a code');
    for (const place of doubledPlaces) {
      const [label, change] = [confirmForTwo(place), withDoubledMember(ivo.phone, { [place]: jan.phone })];
      const options = { change, defect: 'the request names two phones', code };
      const { result, isChanged } = await performChanged(driver, ivo, 'confirmOtp', label, options);
      driver.observe(label, { isChanged, isForeign: isSessionOf(jan, result) });
    }
    await driver.perform({ ...ivo }, 'confirmOtp', 'confirms for one phone', { code });
    for (const place of doubledPlaces) {
      if (!(await driver.time.passResendPause())) return;
      await requestAndUse(driver, [ivo, jan], place);
    }
  },
  checks: {
    'doubled-members-not-confused': {
      title: 'A request that names two phones opens no session of one by the code of the other',
      requirements: ['1-phone-confirmed'],
      judge: confused,
      advice:
        'Parse a request once and use what was parsed everywhere, or refuse a member that stands twice: two parsers that take different ones confirm one phone by the code of another.',
    },
  },
});

async function askForTwo(driver: Driver, ivo: User, jan: User): Promise<void> {
  if (!driver.adapter.has('exchangeToken')) return;
  for (const place of doubledPlaces) {
    const change = withDoubledMember(ivo.user as string, { [place]: jan.user as string });
    const options = { change, defect: 'the request names two users' };
    const label = exchangeForTwo(place);
    const { isChanged } = await performChanged(driver, ivo, 'exchangeToken', label, options);
    driver.observe(label, { isChanged });
  }
  await driver.perform({ ...ivo }, 'exchangeToken', 'exchange token for one user');
}

/** Requests a code for both phones. If it came to one phone only, tries to sign in with it at the other. */
async function requestAndUse(
  driver: Driver,
  [ivo, jan]: readonly [User, User],
  place: DoubledPlace,
): Promise<void> {
  const doubled = withDoubledMember(ivo.phone, { [place]: jan.phone });
  const codes = await requestOfBoth(driver, [ivo, jan], requestForTwo(place), doubled);
  if (!codes) return;
  const [ivos, jans] = codes;
  if ((ivos === undefined) === (jans === undefined)) return;
  const other = ivos === undefined ? ivo : jan;
  const code = (ivos ?? jans) as string;
  // Ivo is tried, too: his client made the request, and has the challenge if the code belongs to one.
  for (const asking of [ivo, jan]) {
    const result = await driver.perform({ ...asking }, 'confirmOtp', useForTwo(place), {
      defect: 'the code came to another phone',
      code,
    });
    driver.observe(useForTwo(place), { isForeign: isSessionOf(other, result) });
  }
}

function confused(steps: Steps): Judgement {
  const labels = doubledPlaces.flatMap((place) => [confirmForTwo(place), useForTwo(place)]);
  const played = labels.flatMap((label) => steps.all(label));
  if (played.length === 0) return confusedUsers(steps);
  if (!isChanged(steps, [...labels, ...doubledPlaces.map(requestForTwo)]))
    return { notApplicable: NOTHING_TO_DOUBLE };
  const foreign = labels.find((label) =>
    steps.allObserved(label).some(({ isForeign }) => isForeign === true),
  );
  if (foreign !== undefined)
    return {
      expected: 'a refusal, or the session of the one to whom the code came',
      actual: `"${foreign}" opened a session of the other user`,
      shownBy: steps.all(foreign),
    };
  return [...played, ...steps.all('confirms for one phone')].some(isDone)
    ? { right: played }
    : unclear('the code confirmed nothing in any of these ways', ...played.slice(0, 1));
}

function confusedUsers(steps: Steps): Judgement {
  const control = steps.of('exchange token for one user');
  const labels = doubledPlaces.map(exchangeForTwo);
  if (!isChanged(steps, labels))
    return {
      notApplicable:
        'no request names the user, and none is confirmed by a code, so neither can be named twice',
    };
  const jan = yielded(steps.of('Jan signs in'), 'user');
  const foreign = labels
    .flatMap((label) => steps.all(label))
    .find((played) =>
      sentTo(played, SAVE_EXCHANGE_TOKEN).some(({ facts }) => jan !== undefined && facts.call?.user === jan),
    );
  if (foreign)
    return {
      expected: 'a refusal, or an exchange token of the one whose session it is',
      actual: `"${foreign.step.label}" was carried out for the other user`,
      shownBy: [foreign],
      advice:
        'Parse a request once and use what was parsed everywhere, or refuse a member that stands twice.',
    };
  return controlDone(control, 'for one user none was given either');
}

const isChanged = (steps: Steps, labels: readonly string[]) =>
  labels.some((label) => steps.allObserved(label).some((values) => values.isChanged === true));
