/** Requests that no honest client sends: one thing is changed on the way to the server. */

import { withContentType, withDoubledMember, withHeader, withMembers } from '../../../../engine/wire/request-change.ts';
import type { Driver, User } from '../../player/driver.ts';
import { otherCode, TRY_COUNT } from '../codes/codes.ts';
import { noting, requestOfBoth } from '../codes/several-phones.ts';
import { type Label, scenario } from '../scenario.ts';

/** The origin of pages that are no clients of the server. */
export const FOREIGN_ORIGIN = 'https://elsewhere.example';

/** Foreign origins that begin or end as those of a developer's own machine. */
export const likeOrigins = [
  'http://localhost.elsewhere.example',
  'http://127.0.0.1.elsewhere.example',
  'http://elsewhere-localhost',
] as const;
type LikeOrigin = (typeof likeOrigins)[number];

export const oddRequests = scenario({
  id: 'odd-requests',
  title: 'Requests come as text/plain, from a foreign page, and with a token that the client made up',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  steps: {
    plainRequests: 'a code for the sign-in as text/plain',
    plain: 'signs in as text/plain',
    notPlain: 'signs in as the adapter file says',
    originSignIn: 'signs in for the foreign page',
    originControl: 'exchange token from the client',
    originForeign: 'exchange token from a foreign page',
    originNull: 'exchange token from a page without an origin',
    originLike: (origin: LikeOrigin) => `exchange token from a page of ${origin}`,
    chosenRequests: 'a code for the sign-in with a token',
    chosen: 'signs in with a token that the client made up',
    notChosen: 'signs in without a token',
  },
  async run(driver, steps) {
    const [una, ove, tia] = [await driver.user('Una'), await driver.user('Ove'), await driver.user('Tia')];
    const plainCode = await driver.code(una, steps.plainRequests);
    await driver.performChanged(una, 'confirmOtp', steps.plain, {
      change: withContentType('text/plain'),
      defect: 'the Content-Type is text/plain',
      input: { code: plainCode },
    });
    await driver.perform(una, 'confirmOtp', steps.notPlain, { input: { code: plainCode } });

    await driver.signIn(ove, steps.originSignIn);
    await driver.perform(ove, 'exchangeToken', steps.originControl);
    for (const [label, origin] of [
      [steps.originForeign, FOREIGN_ORIGIN],
      [steps.originNull, 'null'],
      ...likeOrigins.map((origin) => [steps.originLike(origin), origin] as const),
    ] as const)
      await driver.performChanged(ove, 'exchangeToken', label, {
        change: withHeader('Origin', origin),
        defect: 'it comes from a foreign page',
      });

    const chosenCode = await driver.code(tia, steps.chosenRequests);
    const token = driver.inventedToken();
    const result = await driver.performChanged(tia, 'confirmOtp', steps.chosen, {
      change: withMembers({ token, sessionToken: token, session: token, cred: { user: '', token } }),
      defect: 'the client sends a token of its own',
      input: { code: chosenCode },
    });
    driver.observe(steps.chosen, { isKept: result.kind === 'done' && result.values.token === token });
    await driver.perform(tia, 'confirmOtp', steps.notChosen, { input: { code: chosenCode } });
  },
});

/** The place of the other person's phone: before the right one, or after it. */
export const doubledPlaces = ['last', 'first'] as const;
type Place = (typeof doubledPlaces)[number];

export const doubledMembers = scenario({
  id: 'doubled-members',
  title: 'Requests name two phones in the place of one or, without codes, two users',
  needs: ['confirmOtp'],
  people: 2,
  waits: ({ resend }) => 3 * resend,
  steps: {
    ivo: 'Ivo signs in',
    jan: 'Jan signs in',
    requests: 'Ivo requests a code',
    confirm: (place: Place) => `confirms for two phones, Jan's ${place}`,
    control: 'confirms for one phone',
    request: (place: Place) => `requests a code for two phones, Jan's ${place}`,
    use: (place: Place) => `confirms the code for two phones, Jan's ${place}`,
    exchange: (place: Place) => `exchange token for two users, Jan ${place}`,
    exchangeControl: 'exchange token for one user',
  },
  async run(driver, steps) {
    const [ivo, jan] = [await driver.user('Ivo'), await driver.user('Jan')];
    await driver.signIn(ivo, steps.ivo);
    await driver.signIn(jan, steps.jan);
    if (!driver.adapter.has('requestOtp')) {
      await exchangeForTwo(driver, [ivo, jan], steps);
      return;
    }
    if (!(await driver.passResendPause())) return;
    const code = await driver.code(ivo, steps.requests);
    for (const place of doubledPlaces) {
      const doubled = noting(withDoubledMember(ivo.phone, { [place]: jan.phone }));
      const result = await driver.performChanged({ ...ivo }, 'confirmOtp', steps.confirm(place), {
        change: doubled.change,
        defect: 'the request names two phones',
        input: { code },
      });
      driver.observe(steps.confirm(place), {
        isChanged: doubled.isChanged(),
        isForeign: result.kind === 'done' && result.values.user === jan.user,
      });
    }
    await driver.perform({ ...ivo }, 'confirmOtp', steps.control, { input: { code } });
    for (const place of doubledPlaces) {
      if (!(await driver.passResendPause())) return;
      await requestForTwo(driver, [ivo, jan], place, steps);
    }
  },
});

/**
 * Asks for an exchange token in the names of two users, with the session of one. Where no code is confirmed,
 * a sign-in with two phones shows nothing: anybody may sign in with either.
 */
async function exchangeForTwo(
  driver: Driver,
  [ivo, jan]: readonly [User, User],
  steps: typeof doubledMembers.steps,
): Promise<void> {
  if (!driver.adapter.has('exchangeToken')) return;
  for (const place of doubledPlaces) {
    const doubled = noting(withDoubledMember(ivo.user as string, { [place]: jan.user as string }));
    await driver.performChanged({ ...ivo }, 'exchangeToken', steps.exchange(place), {
      change: doubled.change,
      defect: 'the request names two users',
    });
    driver.observe(steps.exchange(place), { isChanged: doubled.isChanged() });
  }
  await driver.perform({ ...ivo }, 'exchangeToken', steps.exchangeControl);
}

/** Requests a code for two phones, and uses it for the user who did not receive it. */
async function requestForTwo(
  driver: Driver,
  [ivo, jan]: readonly [User, User],
  place: Place,
  steps: typeof doubledMembers.steps,
): Promise<void> {
  const codes = await requestOfBoth(
    driver,
    [ivo, jan],
    steps.request(place),
    withDoubledMember(ivo.phone, { [place]: jan.phone }),
  );
  if (!codes) return;
  const [ivos, jans] = codes;
  if ((ivos === undefined) === (jans === undefined)) return;
  // Where codes are bound to a challenge, the requester got the challenge.
  const other = ivos === undefined ? ivo : jan;
  const code = (ivos ?? jans) as string;
  for (const asking of [ivo, jan]) {
    const result = await driver.perform({ ...asking }, 'confirmOtp', steps.use(place), {
      defect: 'the code came to another phone',
      input: { code },
    });
    driver.observe(steps.use(place), { isForeign: result.kind === 'done' && result.values.user === other.user });
  }
}

export const claimedAddresses = scenario({
  id: 'claimed-addresses',
  title:
    'Another code is requested too soon, and many wrong ones are tried, each from an address that the client claims',
  needs: ['requestOtp', 'confirmOtp'],
  codes: 2,
  steps: {
    requests: 'Kai requests a code',
    again: 'another code at once, from a claimed address',
    guess: 'guess from a claimed address',
    afterwards: 'right code after many guesses from claimed addresses',
  },
  async run(driver, steps) {
    const kai = await driver.user('Kai');
    await driver.codes.reserve(2);
    const sent = await driver.code(kai, steps.requests);
    const code = driver.adapter.countsMessages ? await requestAgain(driver, kai, sent) : sent;
    const from = (label: Label, number: number, tried: string, defect: string) =>
      driver.performChanged(kai, 'confirmOtp', label, {
        change: withHeader('X-Forwarded-For', `203.0.113.${number}`),
        defect,
        input: { code: tried },
      });
    for (let attempt = 1; attempt <= TRY_COUNT; attempt++)
      await from(steps.guess, attempt, otherCode(code, attempt), 'a guess');
    await from(steps.afterwards, TRY_COUNT + 1, code, 'too many wrong codes came before it');
  },
});

/** Limits the wait (ms) for a message after a success. */
const MESSAGE_WAIT_MS = 400;

/** Requests another code at once, from a claimed address. Returns the newest code. */
async function requestAgain(driver: Driver, kai: User, sent: string): Promise<string> {
  const { again } = claimedAddresses.steps;
  const since = await driver.messagesTo(kai);
  const { kind } = await driver.performChanged(kai, 'requestOtp', again, {
    change: withHeader('X-Forwarded-For', '203.0.113.200'),
    defect: 'a code was sent a moment ago',
  });
  const newest = await driver.codes.newest(kai, since, kind === 'done' ? MESSAGE_WAIT_MS : 0);
  driver.observe(again, { messages: newest?.count ?? 0 });
  return newest?.code ?? sent;
}
