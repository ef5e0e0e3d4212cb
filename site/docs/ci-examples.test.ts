import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '#scripts/set-up/set-up.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const action = parse(read('action.yml')) as Record<'inputs' | 'outputs', Record<string, unknown>>;
const page = read('docs/ci.md');

/** The directory of the reports, unless an option names another. */
const REPORTS = 'conformance-report';

type WorkflowStep = { uses?: string; with?: Record<string, unknown> };

test('the workflow for GitHub uses the action, with its inputs', () => {
  const workflow = parse(read('docs/examples/conformance.yml')) as {
    jobs: { conformance: { steps: WorkflowStep[] } };
  };
  const { steps } = workflow.jobs.conformance;
  const judging = steps.find(({ uses }) => uses === './harness');
  expect(Object.keys(action.inputs)).toEqual(
    expect.arrayContaining(Object.keys(judging?.with ?? { none: 1 })),
  );
  expect(steps.at(-1)?.with).toMatchObject({ path: REPORTS });
});

test('the jobs for other systems run the kit of a clone', () => {
  const command = 'node harness/scripts/run.mjs conformance/main.ts auth-server --config my-server.yaml';
  const { conformance } = parse(read('docs/examples/gitlab-ci.yml')) as {
    conformance: { script: string[]; artifacts: { reports: { junit: string } } };
  };
  expect(conformance.script.at(-1)).toBe(command);
  expect(conformance.artifacts.reports.junit).toBe(`${REPORTS}/junit.xml`);
  const jenkins = read('docs/examples/Jenkinsfile');
  for (const line of [`sh '${command}'`, `junit '${REPORTS}/junit.xml'`]) expect(jenkins).toContain(line);
  expect(page).toContain(`\n${command}\n`);
});

test('the page on CI has every input and output of the action', () => {
  expect(page).toContain('- uses: ./harness\n');
  for (const each of [...Object.keys(action.inputs), ...Object.keys(action.outputs)])
    expect(page).toMatch(new RegExp(`\`${each}\`|^ {4}${each}: `, 'm'));
});
