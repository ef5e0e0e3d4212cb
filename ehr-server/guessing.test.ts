import { expect } from 'vitest';
import { anna, boris, ivan } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { resultOf } from '#testing/wire.ts';
import { unlinkedEhr } from '#testing/worlds/linked-ehr.ts';

type Ehr = Awaited<ReturnType<typeof unlinkedEhr>>;
type GuessedProperties = Record<string, unknown>;

const HOUR_MS = 3_600_000;
const wrong = (properties: GuessedProperties) => ({ ...properties, name: 'Somebody' });

let tokens = 0;

/** Try properties as `user` with a new exchange token and session. Returns the refusal, or 'ok'. */
async function guess(ehr: Ehr, user: string, patientProperties: GuessedProperties): Promise<string> {
  const exchangeToken = `guess-${++tokens}`;
  resultOf(await ehr.saveExchangeToken(exchangeToken, { user, token: `session-${tokens}`, ttl: 60 }));
  const reply = await ehr.authenticate(exchangeToken, patientProperties);
  return reply.error?.data.reason ?? 'ok';
}

/** Make `tries` guesses, and return how many were looked at. */
async function lookedAt(tries: number, one: (n: number) => Promise<string>): Promise<number> {
  let count = 0;
  for (let n = 0; n < tries; n++) if ((await one(n)) !== 'too_many_failed_matches') count++;
  return count;
}

/** Another patient's properties, each time with another phone. */
const withPhone = (n: number) => wrong({ ...ivan, phone: `7999111${String(n).padStart(4, '0')}` });

proves(
  ['D37-counted-per-user', 'DE-too-many-failed-matches', 'T-client-18'],
  'a user has 20 guesses an hour, over all exchange tokens and phones',
  async () => {
    const ehr = await unlinkedEhr();
    expect(await lookedAt(25, (n) => guess(ehr, 'u-guesser', withPhone(n)))).toBe(20);
    resultOf(await ehr.saveExchangeToken('for-the-code', { user: 'u-guesser', token: 'session', ttl: 60 }));
    const refused = { exchangeToken: 'for-the-code', patientProperties: boris };
    expect((await ehr.call('embedded_storage.authenticate', refused)).error).toMatchObject({ code: -33003 });
    // Even the right properties are refused now, while another user is still served.
    expect(await guess(ehr, 'u-guesser', boris)).toBe('too_many_failed_matches');
    expect(await guess(ehr, 'u-other', boris)).toBe('ok');
  },
);

proves(
  ['D37-counted-per-phone', 'T-client-18', 'T-client-19', 'T-auth-7'],
  'a phone has 20 tries an hour',
  async () => {
    const ehr = await unlinkedEhr();
    const written = ['79990000001', '8 (999) 000-00-01', '+7 999 000-00-01 x5'];
    const phone = (n: number) => written[n % written.length];
    expect(await lookedAt(25, (n) => guess(ehr, `u-${n}`, wrong({ ...anna, phone: phone(n) })))).toBe(20);
    // The rightful user cannot link until the hour is over. A user with another phone can.
    expect(await guess(ehr, 'u-anna', anna)).toBe('too_many_failed_matches');
    expect(await guess(ehr, 'u-boris', boris)).toBe('ok');
    ehr.clock.advance(HOUR_MS);
    expect(await guess(ehr, 'u-anna', anna)).toBe('ok');
  },
);

const { phone: _phone, ...annaWithoutPhone } = anna;

const GUESSED = [
  ['date', (n: number) => `19${n + 10}-01-01`],
  ['surname', (n: number) => `Surname${'x'.repeat(n)}`],
  ['name', (n: number) => `Name${'x'.repeat(n)}`],
] as const;

proves(['D37-counted-per-phone', 'T-client-18'], 'any property alone has 20 guesses an hour', async () => {
  for (const [property, guessOf] of GUESSED) {
    const ehr = await unlinkedEhr({ env: { EHR_MATCHING_REQUIRED: 'name,surname,date' } });
    const typed = (n: number) => ({ ...annaWithoutPhone, gender: n % 4, [property]: guessOf(n) });
    expect([property, await lookedAt(25, (n) => guess(ehr, `u-${n}`, typed(n)))]).toEqual([property, 20]);
    expect(await guess(ehr, 'u-anna', annaWithoutPhone)).toBe('too_many_failed_matches');
    expect(await guess(ehr, 'u-boris', boris)).toBe('ok');
  }
});

proves(['D37-setting'], 'how many guesses an hour allows is a setting', async () => {
  const ehr = await unlinkedEhr({ env: { EHR_FAILED_MATCHES_PER_HOUR: '3' } });
  expect(await lookedAt(10, (n) => guess(ehr, 'u-guesser', withPhone(n)))).toBe(3);
});
