/** Playwright's test with a world of its own: both servers, the client, one clock, recorded messages. */
import { relative } from 'node:path';
import { expect } from '@playwright/test';
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { test as base } from '#testing/page.ts';
import { canaryPatient, canaryValues } from '#testing/people.ts';
import { beginFlow, endFlow } from '#testing/recording/recorded-flow.ts';
import { watchSilence } from '#testing/runner/signs-of-life.ts';
import { rejectViolations } from '#testing/wire.ts';
import { startWorld, type World, type WorldOptions } from '#testing/worlds/world.ts';
import { App } from './app.ts';

type Fixtures = { settings: WorldOptions; world: World; app: App; silence: undefined; recording: undefined };

/** A test may take as long as it likes; one that hangs is ended at once. */
const NO_TIMEOUT = 0;
const AT_ONCE = 1;

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  silence: [
    // biome-ignore lint/correctness/noEmptyPattern: it needs no other fixture, as below
    async ({}, use, info) => {
      info.setTimeout(NO_TIMEOUT);
      const forget = watchSilence(systemClock, () => info.setTimeout(AT_ONCE));
      await use(undefined);
      forget();
    },
    { auto: true },
  ],
  recording: [
    // Playwright reads from the pattern which fixtures this one needs.
    // biome-ignore lint/correctness/noEmptyPattern: it needs none
    async ({}, use, { file, titlePath, errors }) => {
      beginFlow();
      await use(undefined);
      await endFlow(relative(process.cwd(), file), titlePath.slice(1).join(' > '), errors[0]);
    },
    { auto: true },
  ],
  world: async ({ settings }, use) => {
    const world = await startWorld({ withClient: true, patients: [canaryPatient], ...settings });
    await use(world);
    const received = Buffer.concat([
      world.proxies.clientToAuth.received(),
      world.proxies.authToEhr.answered(),
    ]);
    await world.stop();
    rejectViolations(world.violations());
    const [leak] = findCanaries(received, canaryValues);
    if (leak) throw new Error('Patient data reached the authorization server.');
  },
  app: async ({ page, world }, use) => {
    const app = new App(page, world.client?.url ?? '', (to) => world.auth.latestMessage(to)?.code ?? '');
    await use(app);
    const [complaint] = app.complaints;
    if (complaint !== undefined) throw new Error(`The page of the client fails: ${complaint}`);
  },
});

export { expect };
