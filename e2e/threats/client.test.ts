import { expect } from 'vitest';
import { callText } from '#protocol/wire/envelope.ts';
import { anna, oleg } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { post, reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';
import { useWorld } from '#testing/worlds/use-world.ts';

const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';
const LOG_OUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';
const PHONE = '79991112233';
const MINUTE_MS = 60_000;

proves(['T-client-5'], 'unknown, unlinked, wrong and ended get one answer', async () => {
  const { ehr, call, cred, saveExchangeToken } = await linkedEhr();
  resultOf(await saveExchangeToken('pending', { user: 'u-pending', token: 'token-pending', ttl: 60 }));
  const answers = async (method: typeof GET | typeof LOG_OUT | typeof DISCONNECT) => {
    const strangers = [
      { user: 'u-never', token: 'wrong' },
      { user: 'u-anna', token: 'wrong' },
      { user: 'u-never', token: cred.token },
      { user: 'u-pending', token: 'token-pending' },
    ];
    const texts = strangers.map((stranger) =>
      post(ehr.endpoint, callText({ id: 1, method, cred: stranger })),
    );
    return (await Promise.all(texts)).map(({ status, text, headers }) => {
      const { date: _, ...others } = Object.fromEntries(headers);
      return JSON.stringify({ status, text, others });
    });
  };
  const before = [...(await answers(GET)), ...(await answers(LOG_OUT)), ...(await answers(DISCONNECT))];
  expect(new Set(before).size).toBe(1);
  expect(before[0]).toContain('not_authorized');
  resultOf(await call(LOG_OUT, {}, cred));
  const ended = await post(ehr.endpoint, callText({ id: 1, method: GET, cred }));
  expect(before[0]).toContain(JSON.stringify(ended.text));
});

proves(['T-client-16'], 'a stolen signature opens nothing at either server', async () => {
  const world = await useWorld();
  const owner = await new ScriptedClient(world, PHONE).connect(anna);
  const userSign = owner.userSign as string;
  // The EHR server does not accept a signature as a credential.
  for (const user of [owner.cred.user, 'u-thief'])
    expect(reasonOf(await world.toEhr(GET, {}, { user, token: userSign }))).toBe('not_authorized');
  expect(
    reasonOf(await world.toEhr(AUTHENTICATE, { exchangeToken: userSign, patientProperties: anna })),
  ).toBe('exchange_token_unknown');
  // The thief signs in with their own phone. The signature does not link them.
  const thief = new ScriptedClient(world, '79994445566');
  thief.userSign = userSign;
  expect(await thief.signIn()).toEqual({ linked: false });
  expect(reasonOf(await thief.getPatient())).toBe('not_authorized');
  thief.userSign = undefined;
  world.clock.advance(MINUTE_MS);
  await thief.connect(oleg);
  thief.userSign = userSign;
  world.clock.advance(MINUTE_MS);
  expect(await thief.signIn()).toEqual({ linked: false });
  expect(reasonOf(await thief.getPatient())).toBe('not_authorized');
  thief.userSign = undefined;
  world.clock.advance(MINUTE_MS);
  expect(await thief.signIn()).toEqual({ linked: true });
  expect(resultOf(await thief.getPatient()).patient.name).toBe(oleg.name);
});
