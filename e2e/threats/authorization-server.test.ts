import { expect } from 'vitest';
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import { anna, canaryPatient, canaryProperties, canaryValues } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { resultOf } from '#testing/wire.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import type { World } from '#testing/worlds/world.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

/** Returns every byte that the authorization server received, from its clients and from the EHR server. */
function receivedByAuth({ proxies }: World): Buffer {
  return Buffer.concat([proxies.clientToAuth.received(), proxies.authToEhr.answered()]);
}

/** Runs every flow of the interface, with the canary as the patient. */
async function everyFlow(world: World): Promise<void> {
  const client = new ScriptedClient(world, PHONE);
  await client.signIn();
  await client.getPatient();
  await client.link({ ...canaryProperties, name: 'Somebody' });
  await client.link({
    ...canaryProperties,
    searchStrategy: 'MEDCARD',
    medCardId: canaryPatient.medcardNumber,
  });
  resultOf(await client.reportLink());
  resultOf(await client.getPatient());
  world.clock.advance(MINUTE_MS);
  await client.signIn();
  await client.link(canaryProperties);
  await client.link(anna);
  resultOf(await client.removeAuthInfo());
  resultOf(await client.logoutAtAuth());
  world.clock.advance(MINUTE_MS);
  await client.signIn();
  resultOf(await client.removeAuthentication());
  resultOf(await client.deleteUserAtAuth());
}

proves(
  ['1-properties-not-to-auth', '1-properties-straight-to-ehr', '1-properties-not-relayed', 'T-auth-4'],
  'the authorization server receives no patient property in any flow',
  async () => {
    const world = await useWorld({ patients: [canaryPatient] });
    await everyFlow(world);
    const received = receivedByAuth(world);
    expect(received.length).toBeGreaterThan(5_000);
    expect(findCanaries(received, canaryValues)).toEqual([]);
    // The same search finds the canaries where they belong, so it would have found them here.
    const sentToEhr = findCanaries(world.proxies.clientToEhr.received(), canaryValues).map(
      ({ value }) => value,
    );
    for (const value of [
      canaryPatient.surname,
      canaryPatient.name,
      '48601777333',
      '1931-07-19',
      'CANARY-CARD-90210',
    ])
      expect(sentToEhr).toContain(value);
  },
);
