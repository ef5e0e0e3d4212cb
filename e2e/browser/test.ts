/**
 * Playwright's test with a separate world for each: both servers, the client, one clock, and the recorded
 * messages.
 */
import { relative } from 'node:path';
import { expect } from '@playwright/test';
import { findCanaries } from '#conformance/journal/secrets/canaries.ts';
import type { RequirementId } from '#protocol/requirements.ts';
import { canaryPatient, canaryValues } from '#testing/canary-patient.ts';
import { beginFlow, endFlow } from '#testing/recorded-flow.ts';
import { test as base } from '#testing/translated-page.ts';
import { startWorld, type World, type WorldOptions } from '#testing/world.ts';
import { App } from './app.ts';

type Fixtures = { settings: WorldOptions; world: World; app: App; recording: undefined };

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  recording: [
    // Playwright reads from the pattern which fixtures this one needs.
    // biome-ignore lint/correctness/noEmptyPattern: it needs none
    async ({}, use, { file, titlePath }) => {
      beginFlow();
      await use(undefined);
      endFlow(relative(process.cwd(), file), titlePath.slice(1).join(' > '));
    },
    { auto: true },
  ],
  world: async ({ settings }, use) => {
    const world = await startWorld({ withClient: true, patients: [canaryPatient], ...settings });
    await use(world);
    const received = Buffer.concat([world.proxies.clientToAuth.received(), world.proxies.authToEhr.answered()]);
    await world.stop();
    expect(world.violations()).toEqual([]);
    expect(findCanaries(received, canaryValues)).toEqual([]);
  },
  app: async ({ page, world }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await use(new App(page, world.client?.url ?? '', (to) => world.auth.latestMessage(to)?.code ?? ''));
    expect(complaints).toEqual([]);
  },
});

/**
 * Returns the requirements that a browser test proves, as its details. The test itself is declared in its
 * file, because Playwright reports the place of that call.
 * @example test('log out', proves(['4.5-ehr-first']), async ({ app }) => { … });
 */
export function proves(ids: readonly RequirementId[]): { annotation: { type: string; description: string }[] } {
  return { annotation: ids.map((id) => ({ type: 'requirement', description: id })) };
}

export { expect };
