import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { example } from '../../../../testing/cli.ts';
import { judge } from '../../../judge.ts';
import { allClientChecks, clientScenarios } from '../../flows/index.ts';
import { openClientRun } from '../../run.ts';
import { clientFileSchema } from '../../settings.ts';

const FILE = example('plain-page.yaml');

/** The settings of the page in plain JavaScript with a defect. */
function settingsOf(defect: string) {
  const file = parse(readFileSync(FILE, 'utf8'));
  file.browser.address += `&defect=${defect}`;
  file.browser.start.command.push('--also', example('plain-page/faults.mjs'));
  file.browser.start.cwd = dirname(resolve(FILE));
  return clientFileSchema(() => undefined).parse(file);
}

/** Plays scenarios on the page with a defect, and returns what these checks say. */
async function foundIn(defect: string, scenarios: readonly string[], ids: readonly string[]) {
  const run = await openClientRun({
    ...{ loaded: { file: FILE, settings: settingsOf(defect) }, clock: systemClock, seed: 1 },
    ...{ random: systemRandom, env: process.env, signal: new AbortController().signal },
  });
  try {
    await run.playAll(clientScenarios.filter(({ id }) => scenarios.includes(id)));
    const journal = { meta: run.meta({ tool: 'test', finished: true }), entries: run.recorder.entries() };
    return judge(journal, { checks: allClientChecks.filter(({ id }) => ids.includes(id)) });
  } finally {
    await run.close();
  }
}

// A check of all scenarios is judged on one that shows the defect.
for (const [defect, check, scenario, what] of [
  ['surname-in-title', 'signed-out-keeps-nothing', 'logout-ehr-first', 'a field or the title has surname'],
  ['phone-in-field', 'signed-out-keeps-nothing', 'logout-ehr-first', 'a field or the title has phone'],
  ['storage-in-console', 'no-secrets-in-logs', 'logout-ehr-first', 'the log has the session token'],
  ['written-late', 'logout-forgets', 'logout-forgets', 'it has name, surname'],
  ['markup-run', 'odd-records-shown', 'odd-records-shown', 'the page ran it'],
  ['token-in-header', 'no-secrets-in-headers', 'logout-ehr-first', 'the header authorization has a secret'],
] as const)
  test(`a page with the defect ${defect} is found by ${check}`, async () => {
    const [verdict] = await foundIn(defect, [scenario], [check]);
    expect(verdict?.finding, JSON.stringify(verdict?.finding)).toMatchObject({
      outcome: 'fail',
      actual: expect.stringContaining(what),
    });
  });

test('a page that pauses before it shows an answer is read after its pauses', async () => {
  const ids = ['exchange-token-first', 'wrong-code-told', 'logout-ehr-first'];
  const verdicts = await foundIn('pauses', ids, ids);
  expect(verdicts.map(({ check, outcome }) => [check, outcome])).toEqual(ids.map((id) => [id, 'pass']));
});
