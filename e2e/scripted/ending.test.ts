import { expect } from 'vitest';
import { anna, ivan } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { useWorld } from '#testing/use-world.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

proves(
  ['4.5-ehr-first', 'D19-link-stays', 'D19-next-sign-in-direct', 'DA-logout'],
  'log out: the EHR server first, then the authorization server; the next sign-in is direct',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    resultOf(await client.removeAuthInfo());
    resultOf(await client.logoutAtAuth());
    expect(reasonOf(await client.getPatient())).toBe('not_authorized');
    expect(reasonOf(await client.exchangeToken())).toBe('not_authorized');
    world.clock.advance(MINUTE_MS);
    expect(await client.signIn()).toEqual({ linked: true });
  },
);

proves(
  ['4.6-alone', 'D20-link-removed', 'D20-all-sessions-removed'],
  'disconnect alone: every device loses the record, and the user stays signed in and may link again',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    world.clock.advance(MINUTE_MS);
    const tablet = new ScriptedClient(world, PHONE);
    await tablet.signIn();
    resultOf(await client.removeAuthentication());
    for (const each of [client, tablet]) expect(reasonOf(await each.getPatient())).toBe('not_authorized');
    resultOf(await client.link(ivan));
    expect(resultOf(await client.getPatient()).patient.name).toBe('Ivan');
  },
);

proves(
  ['D15-sign-renewed', '1-sign-is-part-of-secret', 'D34-stale-link-signs-in'],
  'after a disconnect the old signature opens nothing, and a sign-in with it goes on unlinked',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    resultOf(await client.removeAuthentication());
    world.clock.advance(MINUTE_MS);
    expect(await client.signIn()).toEqual({ linked: false });
    expect(reasonOf(await client.getPatient())).toBe('not_authorized');
  },
);

proves(
  ['4.6-with-deletion', '4.6-ehr-first', 'DA-delete-user'],
  'disconnect with deletion: nothing of the user is left on either server',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    const { user } = client.cred;
    resultOf(await client.removeAuthentication());
    resultOf(await client.deleteUserAtAuth());
    expect(reasonOf(await client.exchangeToken())).toBe('not_authorized');
    expect(world.auth.correspondence.list()).toEqual([]);
    client.userSign = undefined;
    world.clock.advance(MINUTE_MS);
    expect(await client.signIn()).toEqual({ linked: false });
    expect(client.cred.user).not.toBe(user);
    expect(resultOf(await client.link(anna)).patient.name).toBe('Anna');
  },
);

proves(
  ['D22-relogin-keeps-sign', 'DA-sign-in-sign-on-record'],
  'a user whose new link was never reported is not locked out by the old signature on record',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    resultOf(await client.removeAuthentication());
    resultOf(await client.link(anna));
    world.clock.advance(MINUTE_MS);
    const tablet = new ScriptedClient(world, PHONE);
    expect(await tablet.signIn()).toEqual({ linked: false });
    expect(resultOf(await tablet.link(anna)).userSign).toBe(client.userSign);
    resultOf(await tablet.reportLink());
    world.clock.advance(MINUTE_MS);
    expect(await new ScriptedClient(world, PHONE).signIn()).toEqual({ linked: true });
  },
);
