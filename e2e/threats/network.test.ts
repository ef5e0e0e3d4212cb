import { expect } from 'vitest';
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { createAuthority } from '#service/tls/testing-tls.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import type { RecordingProxy } from '#testing/recording/recording-proxy.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';
import { useTlsWorld, useWorld } from '#testing/worlds/use-world.ts';
import type { World } from '#testing/worlds/world.ts';

const PHONE = '79991112233';
const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';
const SAVE = 'embedded_storage.save_auth_info';
const SAVE_EXCHANGE = 'embedded_storage.save_exchange_token';

type HeardCred = { user: string; token: string };
type Heard = { method: string; params: Record<string, unknown>; cred: HeardCred };

/** Returns the calls that an observer of the clear internal channel has seen. */
function callsHeard(proxy: RecordingProxy): Heard[] {
  const bodies =
    proxy
      .received()
      .toString('utf8')
      .match(/\{"jsonrpc".*?\}(?=POST |$)/gs) ?? [];
  return bodies.map((body) => JSON.parse(body) as Heard);
}

function heard(proxy: RecordingProxy, method: string): Heard {
  const call = callsHeard(proxy).find((each) => each.method === method);
  if (!call) throw new Error(`No ${method} was heard.`);
  return call;
}

const bytesOf = (proxy: RecordingProxy) => Buffer.concat([proxy.received(), proxy.answered()]);
const onInternal = ({ ehr }: World) => callerOf<typeof ehrMethods>(`${ehr.internalUrl}/1.0-alpha/`);

proves(['T-network-1'], 'a listener reads tokens, patient and record without TLS', async () => {
  const world = await useWorld();
  const client = await new ScriptedClient(world, PHONE).connect(anna);
  resultOf(await client.getPatient());
  const { token, user } = client.cred;
  const { clientToEhr, clientToAuth, authToEhr } = world.proxies;
  const found = (proxy: RecordingProxy, values: string[]) =>
    findCanaries(bytesOf(proxy), values).map(({ value }) => value);
  const { exchangeToken } = heard(authToEhr, SAVE_EXCHANGE).params as { exchangeToken: string };
  const ofClient = [token, exchangeToken, client.userSign as string, anna.surname, anna.phone as string];
  expect(found(clientToEhr, ofClient)).toEqual(expect.arrayContaining(ofClient));
  expect(found(clientToAuth, [token, exchangeToken])).toEqual(expect.arrayContaining([token, exchangeToken]));
  expect(found(authToEhr, [token, exchangeToken])).toEqual(expect.arrayContaining([token, exchangeToken]));
  const overheard = (heard(authToEhr, SAVE).params as { authInfo: HeardCred }).authInfo;
  expect(overheard).toMatchObject({ user, token });
  const asThief = { user: overheard.user, token: overheard.token };
  expect(resultOf(await world.toEhr(GET, {}, asThief)).patient.surname).toBe(anna.surname);
});

proves(
  ['5.1-secrets-not-in-clear', '2.3-internal-id-not-sent', '4.3-caller', 'T-network-2'],
  'the internal channel shows no password, signature, user id or authenticate in clear',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    const sent = world.proxies.authToEhr.received();
    expect(findCanaries(sent, ['internal-pässword', client.userSign as string])).toEqual([]);
    for (const never of ['internalUserId', 'int-', 'embedded_storage.authenticate'])
      expect(sent.toString()).not.toContain(never);
  },
);

proves(['T-network-3'], 'a weak internal password is found from one digest', async () => {
  const weak = 'summer';
  const world = await useWorld({ env: { EHR_INTERNAL_PASSWORD: weak } });
  const client = new ScriptedClient(world, PHONE);
  await client.signIn();
  resultOf(await client.exchangeToken());
  const { params, cred } = heard(world.proxies.authToEhr, SAVE_EXCHANGE);
  const dictionary = ['password', 'letmein', 'spring', 'summer', 'autumn'];
  expect(dictionary.filter((guess) => digest(guess, params.exchangeToken as string) === cred.token)).toEqual([
    weak,
  ]);
  // A long random password is in no dictionary, and nothing else on the wire reveals it.
  expect(findCanaries(bytesOf(world.proxies.authToEhr), [weak])).toEqual([]);
});

proves(['T-network-6'], 'a digest over user_sign heard in clear opens sessions of the thief', async () => {
  const world = await useWorld();
  const client = await new ScriptedClient(world, PHONE).connect(anna);
  const { cred } = heard(world.proxies.authToEhr, SAVE);
  // The signature is the same at every sign-in of this user.
  world.clock.advance(60_000);
  await client.signIn();
  const saves = callsHeard(world.proxies.authToEhr).filter(({ method }) => method === SAVE);
  expect(saves.map((save) => save.cred)).toEqual([cred, cred]);
  const stolen = { user: client.cred.user, token: 'token-of-a-thief' };
  resultOf(await onInternal(world)(SAVE, { authInfo: { ...stolen, ttl: 60 } }, cred));
  expect(resultOf(await world.toEhr(GET, {}, stolen)).patient.surname).toBe(anna.surname);
  // The signature is useless for another user, and useless once its user has disconnected.
  const other = await new ScriptedClient(world, '79994445566');
  await other.signIn();
  const forOther = { user: other.cred.user, token: 'token-for-another', ttl: 60 };
  expect(reasonOf(await onInternal(world)(SAVE, { authInfo: forOther }, cred))).toBe('user_unknown');
  resultOf(await client.removeAuthentication());
  const late = { ...stolen, token: 'late', ttl: 60 };
  expect(reasonOf(await onInternal(world)(SAVE, { authInfo: late }, cred))).toBe('user_unknown');
});

proves(['T-network-4', 'T-network-5'], 'TLS hides all but when and how much is said', async () => {
  const authority = await createAuthority();
  const { client, proxies, auth } = await useTlsWorld({
    authority,
    client: await authority.issue('auth-server'),
  });
  await client.connect(anna);
  const { clientToEhr, clientToAuth } = proxies;
  const sizeOf = async (what: () => Promise<unknown>) => {
    const before = clientToEhr.answered().length;
    await what();
    return clientToEhr.answered().length - before;
  };
  const reply = await client.getPatient();
  const record = await sizeOf(() => client.getPatient());
  const code = auth.outbox.list()[0]?.code as string;
  const { user, token } = client.cred;
  const secrets = [token, user, client.userSign as string, anna.surname, anna.phone as string, INTERNAL_USER];
  const words = [
    GET,
    AUTHENTICATE,
    SAVE,
    SAVE_EXCHANGE,
    'auth.confirm_otp',
    '"jsonrpc"',
    'POST /',
    'content-type',
  ];
  for (const proxy of Object.values(proxies)) {
    expect(bytesOf(proxy).length).toBeGreaterThan(1_500);
    expect(findCanaries(bytesOf(proxy), [...secrets, ...words, INTERNAL_PASSWORD])).toEqual([]);
  }
  expect(findCanaries(bytesOf(clientToAuth), [`"${code}"`])).toEqual([]);
  // The handshake shows the protocol, and the sizes distinguish a record from a refusal.
  expect(bytesOf(clientToEhr).toString('latin1')).toContain('http/1.1');
  expect(record).toBeGreaterThan(JSON.stringify(reply).length);
  resultOf(await client.removeAuthInfo());
  expect(await sizeOf(() => client.getPatient())).toBeLessThan(record);
});

proves(['T-network-9'], 'an EHR server with a foreign certificate is not called', async () => {
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const own = await authority.issue('auth-server');
  const { client, logged } = await useTlsWorld({ authority, client: own, env: { AUTH_EHR_CA: other.ca } });
  await client.signIn();
  expect(reasonOf(await client.exchangeToken())).toBe('ehr_unreachable');
  expect(logged()).toContain('"detail":"SELF_SIGNED_CERT_IN_CHAIN"');
});
