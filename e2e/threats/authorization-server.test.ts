import { join } from 'node:path';
import { expect } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { openSqlite } from '#service/sqlite.ts';
import { alyoshin, anna, ivan } from '#testing/people.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import { claims } from './claims.ts';

const GET = 'patient.get_patient';
const AUTHENTICATE = 'embedded_storage.authenticate';

/** Links Anna and Boris. The attacker who controls the authorization server has only Anna's signature. */
async function takenOver() {
  const file = join(temporaryFolder(), 'ehr.sqlite');
  const ehr = await unlinkedEhr({
    env: { EHR_DATABASE: file, EHR_INTERNAL_PORT: '0', EHR_RATE_LIMIT: 'on' },
  });
  const { userSign } = await ehr.link('u-anna', 'token-anna', anna);
  await ehr.link('u-boris', 'token-boris', alyoshin);
  const audit = () => {
    const db = openSqlite(file, { readonly: true });
    const rows = db.prepare('SELECT action, user_id, patient_id, outcome FROM audit ORDER BY id').raw().all();
    db.close();
    return (rows as string[][])
      .map(([action = '', ...rest]) => [action.replace(/^.*\./, ''), ...rest])
      .slice(4);
  };
  return { ...ehr, userSign, audit };
}

claims(['T-auth-1', 'T-auth-2', 'T-auth-6'], 'its signatures open sessions of its users alone', async () => {
  const { call, saveAuthInfo, userSign, audit } = await takenOver();
  const theirs = { user: 'u-anna', token: 'token-of-the-intruder' };
  resultOf(await saveAuthInfo({ ...theirs, ttl: 60 }, userSign));
  expect(resultOf(await call(GET, {}, theirs)).patient.surname).toBe(anna.surname);
  // Tried for Boris: another user's signature, Boris's session token and user id, nothing.
  for (const secret of [userSign, 'token-boris', 'u-boris', ''])
    expect(reasonOf(await saveAuthInfo({ user: 'u-boris', token: 'stolen', ttl: 60 }, secret))).toBe(
      'not_authorized',
    );
  expect(reasonOf(await call(GET, {}, { user: 'u-boris', token: 'stolen' }))).toBe('not_authorized');
  resultOf(await call('embedded_storage.remove_authentication', {}, theirs));
  const { id } = personas.anna.patients[0];
  expect(audit()).toEqual([
    ['save_auth_info', 'u-anna', id, 'ok'],
    ['get_patient', 'u-anna', id, 'ok'],
    ['remove_authentication', 'u-anna', id, 'ok'],
  ]);
});

claims(['T-auth-1'], 'a signature is worth nothing once its user has disconnected', async () => {
  const { call, saveAuthInfo, userSign } = await takenOver();
  resultOf(await call('embedded_storage.remove_authentication', {}, { user: 'u-anna', token: 'token-anna' }));
  expect(reasonOf(await saveAuthInfo({ user: 'u-anna', token: 'late', ttl: 60 }, userSign))).toBe(
    'user_unknown',
  );
});

claims(['T-auth-3'], 'a user who links meanwhile is read with the token it gave', async () => {
  const world = await useWorld();
  const client = new ScriptedClient(world, '79991112233');
  await client.signIn();
  // The authorization server knows this token: it has created it.
  const known = { ...client.cred };
  expect(reasonOf(await world.toEhr(GET, {}, known))).toBe('not_authorized');
  resultOf(await client.link(anna));
  expect(resultOf(await world.toEhr(GET, {}, known)).patient.surname).toBe(anna.surname);
});

claims(['T-auth-5', 'T-auth-6', 'T-auth-7'], 'it guesses five times a token, each on record', async () => {
  const { call, saveExchangeToken, audit } = await takenOver();
  const guess = (exchangeToken: string, patientProperties: object) =>
    call(AUTHENTICATE, { exchangeToken, patientProperties });
  const days = Array.from({ length: 15 }, (_, day) => ({
    ...ivan,
    date: `1980-01-${String(day + 1).padStart(2, '0')}`,
  }));
  const attempts: unknown[][] = [];
  for (const [index, properties] of days.entries()) {
    const exchangeToken = `made-${Math.floor(index / 5)}`;
    if (index % 5 === 0) {
      resultOf(
        await saveExchangeToken(exchangeToken, { user: 'u-made-up', token: `made-up-${index}`, ttl: 60 }),
      );
      attempts.push(['save_exchange_token', 'u-made-up', null, 'ok']);
    }
    expect(reasonOf(await guess(exchangeToken, properties))).toBe('patient_not_matched');
    attempts.push(['authenticate', 'u-made-up', null, 'patient_not_matched']);
  }
  // The sixth attempt fails even with the right properties. With the next exchange token they open the
  // record.
  expect(reasonOf(await guess('made-2', ivan))).toBe('exchange_token_exhausted');
  resultOf(await saveExchangeToken('made-3', { user: 'u-made-up', token: 'made-up-3', ttl: 60 }));
  expect(resultOf(await guess('made-3', ivan)).patient.name).toBe(ivan.name);
  expect(audit()).toEqual([
    ...attempts,
    ['save_exchange_token', 'u-made-up', null, 'ok'],
    ['authenticate', 'u-made-up', personas.twins.patients[0].id, 'ok'],
  ]);
});
