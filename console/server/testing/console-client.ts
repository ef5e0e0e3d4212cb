/** A right client of the console's demo, played by a test, and what the live judge says meanwhile. */

import { personas } from '#mis-fixtures/personas.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import type { LiveVerdict } from '../../api.ts';
import { Actor } from '../scenarios/actor.ts';
import type { startConsole } from './start-console.ts';

export type Demo = Awaited<ReturnType<typeof startConsole>>;

export async function redOf({ get }: Demo): Promise<string[]> {
  const verdicts = await get<LiveVerdict[]>('/api/verdicts');
  return verdicts
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ check, blame, actual }) => `${check}, ${blame}: ${actual}`);
}

export function actorIn({ addresses, world }: Demo, name: keyof typeof personas = 'anna'): Actor {
  return new Actor(personas[name], {
    fetch,
    authUrl: `${addresses.auth}/`,
    ehrEndpoint: addresses.ehr,
    internal: { endpoint: world.ehr.internalUrl, user: INTERNAL_USER, password: INTERNAL_PASSWORD },
    outboxUrl: world.auth.url,
    advance: async () => undefined,
    arm: () => undefined,
  });
}

export async function link(actor: Actor): Promise<void> {
  await actor.signIn();
  await actor.takeExchangeToken();
  await actor.authenticate();
  await actor.reportLink();
}
