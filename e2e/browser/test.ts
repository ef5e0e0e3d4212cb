/** Playwright's test with a world of its own for each: both servers, the client, one clock, and what crossed between them. */
import { test as base, expect } from '@playwright/test';
import { findCanaries } from '#conformance/journal/canaries.ts';
import { canaryPatient, canaryValues } from '#e2e/canary-patient.ts';
import { startWorld, type World, type WorldOptions } from '#e2e/world.ts';
import type { RequirementId } from '#protocol/requirements.ts';
import { App } from './app.ts';

type Fixtures = { settings: WorldOptions; world: World; app: App };

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  world: async ({ settings }, use) => {
    const world = await startWorld({ withClient: true, patients: [canaryPatient], ...settings });
    await use(world);
    const received = Buffer.concat([world.taps.clientToAuth.received(), world.taps.authToEhr.answered()]);
    await world.stop();
    expect(world.breaches()).toEqual([]);
    expect(findCanaries(received, canaryValues)).toEqual([]);
  },
  app: async ({ page, world }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await use(new App(page, world.client?.url ?? '', (to) => world.auth.latestMessage(to)?.code ?? ''));
    expect(complaints).toEqual([]);
  },
});

/** A browser test that names the requirements it proves, as `proves` does for the others. */
export function proves(_ids: readonly RequirementId[], title: string, body: Parameters<typeof test>[2]): void {
  test(title, body);
}

export { expect };
