import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { judge } from './engine/check/judge.ts';
import type { Catalogue, Variant } from './engine/defects/catalogue.ts';
import { agentText } from './engine/report/agent/agent.ts';
import { MAX_BLOCK_BYTES } from './engine/report/agent/block.ts';
import { reportOf } from './engine/report/model.ts';
import type { Role, RoleEntry } from './engine/role.ts';
import { roles } from './roles/index.ts';
import { example, inDirectory, runCli } from './testing/cli.ts';

const RUN = { timeout: 300_000 };

/** How many defects of each role are played, at equal distances in its catalogue. */
const SAMPLE = 4;

/** Lines that every cause has. What only some have, such as an exchange, is tried on an invented run. */
const ALWAYS = ['check', 'page', 'clause', 'requirement', 'play alone'];

/** Plays a defect with the scenarios of its check, and returns the text of the report. */
async function textOn(
  { caughtBy, playing, ...variant }: Catalogue<Variant>['defects'][number],
  role: Role,
): Promise<string> {
  const catalogue = await role.catalogue();
  const check = catalogue.checks.find(({ id }) => id === caughtBy);
  const scenarios = playing ?? check?.scenarios.slice(0, catalogue.mostPlayed) ?? [];
  const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
  const run = await catalogue.play(variant, options, { scenarios });
  const played = role.checks.filter(
    ({ id, scenarios: own }) => id === caughtBy || own.every((scenario) => scenarios.includes(scenario)),
  );
  const verdicts = judge(run, { checks: played, party: role.party });
  const report = reportOf(run, verdicts, { ...role, role: role.id });
  return agentText({ run, report, paths: [] }, { playAlone: (id) => `play ${id}` });
}

test.each<RoleEntry>(roles)(
  'each cause of many defects of $one is told within its limit',
  RUN,
  async ({ load }) => {
    const role = await load();
    const { defects } = await role.catalogue();
    const distance = Math.floor(defects.length / SAMPLE);
    for (const defect of defects.filter((_, index) => index % distance === 0)) {
      const text = await textOn(defect, role);
      const [, ...blocks] = text.split(/\n(?=cause \d+ of \d+: )/);
      expect(blocks.length, `${defect.id}: ${text}`).toBeGreaterThan(0);
      expect(text, defect.id).toContain(defect.caughtBy);
      for (const block of blocks) {
        expect(Buffer.byteLength(block), block).toBeLessThanOrEqual(MAX_BLOCK_BYTES);
        expect(
          ALWAYS.filter((label) => !block.includes(`\n${label}: `)),
          block,
        ).toEqual([]);
      }
    }
  },
);

test('a replay says the same as the run, but for the reports', RUN, () =>
  inDirectory(async (directory) => {
    const config = example('plain-ehr-faulty.yaml');
    const only = ['--only', 'exchange-token-used-once,save-digest-verified', '--format', 'agent'];
    const run = await runCli('ehr-server', '--config', config, '--report', directory, ...only);
    const replayed = await runCli('replay', join(directory, 'run.json'), ...only);
    expect([run.code, replayed.code]).toEqual([1, 1]);
    expect(run.output).toMatch(
      /^play alone: .* ehr-server --config \S+plain-ehr-faulty\.yaml --seed 1 --only exchange-token-used-once --format agent$/m,
    );
    expect(run.output).toContain(`\n\nfiles: ${join(directory, 'run.json')}, `);
    expect(replayed.output).toBe(run.output.replace(/\n\nfiles: .*\n$/, '\n'));
  }),
);

test('the doctor tells an agent whether a party can be judged', RUN, async () => {
  const config = example('plain-ehr.yaml');
  const doctor = ['doctor', '--role', 'ehr-server', '--config', config, '--format', 'agent'];
  const { code, output } = await runCli(...doctor);
  expect(code, output).toBe(0);
  expect(output).toMatch(/^note: .*\nverdict: set up, the party can be judged\. Exit code 0 .*\n$/);
});

test('an unknown form is refused with those there are', RUN, async () => {
  const { code, output } = await runCli('replay', 'run.json', '--format', 'xml');
  expect(code).toBe(2);
  expect(output).toContain('terminal, agent');
});
