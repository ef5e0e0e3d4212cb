import { expect } from 'vitest';
import { alyoshin, anna, ivan, maria, nunez, oleg, rufus } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { useWorld } from '#testing/use-world.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

proves(
  ['DA-sign-in-sign-on-record', 'D19-one-session', '1-pair-per-session'],
  'a second device without a kept signature is linked by the one on record, and each device logs out for itself',
  async () => {
    const world = await useWorld();
    const phone = await new ScriptedClient(world, PHONE).connect(anna);
    world.clock.advance(MINUTE_MS);
    const tablet = new ScriptedClient(world, PHONE);
    expect(await tablet.signIn()).toEqual({ linked: true });
    expect(tablet.cred.user).toBe(phone.cred.user);
    expect(resultOf(await tablet.getPatient()).userSign).toBe(phone.userSign);
    resultOf(await phone.removeAuthInfo());
    resultOf(await phone.logoutAtAuth());
    resultOf(await tablet.getPatient());
  },
);

proves(
  ['D22-relogin-keeps-sign', 'D21a-tokens-independent'],
  'a second device that went through the form is linked to the same patient by the same signature',
  async () => {
    const world = await useWorld();
    const first = new ScriptedClient(world, PHONE);
    await first.signIn();
    world.clock.advance(MINUTE_MS);
    const second = new ScriptedClient(world, PHONE);
    await second.signIn();
    resultOf(await first.link(anna));
    resultOf(await second.link(anna));
    expect(second.userSign).toBe(first.userSign);
  },
);

for (const [early, outcome] of [
  [1, 'ok'],
  [0, 'exchange_token_expired'],
] as const) {
  proves(
    ['D11-exchange-token-boundary', '8-exchange-token-lifetime'],
    `an exchange token ${early} ms before its ten minutes are over: ${outcome}`,
    async () => {
      const world = await useWorld();
      const client = new ScriptedClient(world, PHONE);
      await client.signIn();
      const { exchangeToken } = resultOf(await client.exchangeToken());
      world.clock.advance(10 * MINUTE_MS - early);
      const reply = await client.authenticate(exchangeToken, anna);
      expect(reply.error?.data.reason ?? 'ok').toBe(outcome);
    },
  );
}

proves(
  ['D12-new-token-after-expiry', 'DE-session-expired', 'D11-session-boundary'],
  'an expired session is refused by both servers, and signing in again opens a new one with a new token',
  async () => {
    const world = await useWorld({ env: { AUTH_SESSION_TTL: '30' } });
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    const old = client.cred;
    world.clock.advance(30 * MINUTE_MS);
    expect(reasonOf(await client.getPatient())).toBe('session_expired');
    expect(reasonOf(await client.exchangeToken())).toBe('session_expired');
    expect(await client.signIn()).toEqual({ linked: true });
    expect(client.cred.token).not.toBe(old.token);
    resultOf(await client.getPatient());
  },
);

proves(
  ['D13-failed-match-keeps-token', 'D13-five-failures'],
  'wrong properties and then right ones link with the same exchange token; five wrong tries use it up',
  async () => {
    const world = await useWorld();
    const client = new ScriptedClient(world, PHONE);
    await client.signIn();
    const { exchangeToken } = resultOf(await client.exchangeToken());
    expect(reasonOf(await client.authenticate(exchangeToken, { ...anna, surname: 'Petrov' }))).toBe(
      'patient_not_matched',
    );
    resultOf(await client.authenticate(exchangeToken, anna));
    const next = resultOf(await client.exchangeToken()).exchangeToken;
    for (let attempt = 0; attempt < 5; attempt++) await client.authenticate(next, { ...anna, surname: 'Petrov' });
    expect(reasonOf(await client.authenticate(next, anna))).toBe('exchange_token_exhausted');
    resultOf(await client.link(anna));
  },
);

proves(
  ['DE-patient-not-matched', 'D26-yo', 'D26-unicode', 'D28-phone-strategy'],
  'twins are told apart, namesakes never match, and spelling in other letters does no harm',
  async () => {
    const world = await useWorld();
    const link = async (phone: string, properties: Record<string, unknown>) => {
      const client = new ScriptedClient(world, phone);
      await client.signIn();
      const reply = await client.link(properties);
      return reply.result?.patient.name ?? reasonOf(reply);
    };
    expect(await link('79990000101', ivan)).toBe('Ivan');
    expect(await link('79990000102', oleg)).toBe('Oleg');
    expect(await link('79990000103', maria)).toBe('patient_not_matched');
    expect(await link('79990000104', alyoshin)).toBe('Пётр');
    expect(await link('79990000105', nunez)).toBe('José');
    expect(await link('79990000106', rufus)).toBe('Rufus');
  },
);

proves(
  ['DE-patient-already-linked', 'DE-patient-already-matched'],
  'a patient belongs to one user and a user to one patient, and both are told',
  async () => {
    const world = await useWorld();
    await new ScriptedClient(world, PHONE).connect(anna);
    const other = new ScriptedClient(world, '79994445566');
    await other.signIn();
    expect(reasonOf(await other.link(anna))).toBe('patient_already_linked');
    resultOf(await other.link(ivan));
    expect(reasonOf(await other.link(oleg))).toBe('patient_already_matched');
  },
);

proves(
  ['D13-exchange-token-used-up'],
  'of a hundred clients who use one exchange token at once exactly one is let in',
  async () => {
    const world = await useWorld();
    const client = new ScriptedClient(world, PHONE);
    await client.signIn();
    const { exchangeToken } = resultOf(await client.exchangeToken());
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.authenticate(exchangeToken, anna)));
    expect(replies.filter((reply) => reply.result)).toHaveLength(1);
  },
);

proves(
  ['1-other-attribute', 'DA-email'],
  'an e-mail address takes the place of the phone, whatever the phone of the record',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, 'Anna.P@Example.org').connect(anna);
    expect(resultOf(await client.getPatient()).patient.name).toBe('Anna');
  },
);

proves(
  ['D10-own-clock'],
  'an authorization server whose clock is an hour wrong changes no lifetime at the EHR server',
  async () => {
    for (const authSkewMs of [-60 * MINUTE_MS, 60 * MINUTE_MS]) {
      const world = await useWorld({ authSkewMs, env: { AUTH_SESSION_TTL: '30' } });
      const client = await new ScriptedClient(world, PHONE).connect(anna);
      world.clock.advance(30 * MINUTE_MS - 1);
      resultOf(await client.getPatient());
      world.clock.advance(1);
      expect(reasonOf(await client.getPatient())).toBe('session_expired');
    }
  },
);
