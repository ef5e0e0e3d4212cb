import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { makeCase } from '../../../engine/case/make.ts';
import type { Tap } from '../../../engine/case/tap.ts';
import type { CaseParty } from '../../../engine/case/told.ts';
import type { Check } from '../../../engine/check/check.ts';
import { example } from '../../../testing/cli.ts';
import { REFERENCE } from '../defects/index.mjs';
import { allClientChecks, clientChecks } from '../flows/index.ts';
import { openClientRun } from '../run.ts';
import { clientFileSchema } from '../settings.ts';
import { standByHand } from './by-hand.ts';
import { cases } from './index.ts';

const { signal } = new AbortController();
const options = { clock: systemClock, seed: 1, signal };

/** The page in plain JavaScript with a defect, in a browser. */
function pageWith(defect: string): CaseParty {
  const file = parse(readFileSync(example('plain-page.yaml'), 'utf8'));
  file.browser.address += `&defect=${defect}`;
  file.browser.start.command.push('--also', example('plain-page/faults.mjs'));
  file.browser.start.cwd = dirname(resolve(example('plain-page.yaml')));
  const settings = clientFileSchema(() => undefined).parse(file);
  return {
    async play({ scenarios }: Check, tap: Tap) {
      const run = await openClientRun({
        ...{ ...options, loaded: { file: 'page', settings }, random: systemRandom, env: process.env, tap },
      });
      try {
        const all = clientChecks.map(({ scenario }) => scenario);
        await run.playAll(all.filter(({ id }) => scenarios.includes(id)));
        return { meta: run.meta({ tool: 'test', finished: true }), entries: run.recorder.entries() };
      } finally {
        await run.close();
      }
    },
    stand: () => standByHand(settings, { ...options, env: process.env }),
  };
}

test('the case of a page was played in a browser', async () => {
  test.setTimeout(180_000);
  const check = allClientChecks.find(({ id }) => id === 'no-secrets-in-headers');
  if (!check) throw new Error('There is no such check.');
  const made = await makeCase({
    ...{ check: { ...check, scenarios: ['logout-ehr-first'] }, blamed: 'client', sides: cases.sides, signal },
    party: pageWith('token-in-header'),
    right: { ...cases.variant(REFERENCE, options), isAlike: cases.isAlike },
  });
  expect(made.script).toContain("'Sign in with the phone 79031234567, and ask for a code.'");
  expect(made.sentence).toContain('does not have the header authorization');
  expect(made.calls).toBeLessThanOrEqual(4);
});
