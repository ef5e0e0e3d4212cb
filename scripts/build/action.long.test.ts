import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../set-up/set-up.mjs';
import { builtProgram } from './built-program.mjs';

const EXAMPLES = join(root, 'conformance/examples');

/** Eight times the quarter of a minute that a run takes on a busy machine. */
const RUN = { timeout: 120_000 };

type Texts = Readonly<Record<string, string>>;
type ActionStep = { uses?: string; run?: string; env?: Record<string, string> };
type Action = {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: ActionStep[] };
};

const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
beforeAll(() => builtProgram(root, 'conformance/main.ts'));

const folder = mkdtempSync(join(tmpdir(), 'action-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Puts the value of each expression into a text, as a runner does. */
function evaluated(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => values[expression] ?? '');
}

/** The environment of a step: without the variables that npm gives to the tests, and without a network. */
function environmentOf(more: Texts): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_'));
  return { ...Object.fromEntries(own), NO_COLOR: '1', npm_config_offline: 'true', ...more };
}

type EndedStep = { code: number; output: string };

function bash(script: string, env: Record<string, string | undefined>, cwd: string): Promise<EndedStep> {
  return new Promise((resolve) => {
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    execFile('bash', flags, { env, cwd }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), output });
    });
  });
}

/** Runs the steps of the action in a repository that has the examples in its folder `own`, and `files`. */
async function runAction(inputs: Texts, files: Texts = {}) {
  const directory = mkdtempSync(join(folder, 'run-'));
  cpSync(EXAMPLES, join(directory, 'own'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  const [outputs, summary] = [join(directory, 'outputs'), join(directory, 'summary')];
  for (const file of [outputs, summary]) writeFileSync(file, '');
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: root,
    GITHUB_WORKSPACE: directory,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
  };
  const given = Object.entries(action.inputs).map(([name, { default: usual }]) => [
    `inputs.${name}`,
    inputs[name] ?? usual,
  ]);
  let ended: EndedStep = { code: 0, output: '' };
  for (const { run, env = {} } of action.runs.steps.filter((step) => step.run !== undefined)) {
    const own = Object.entries(env).map(([name, text]) => [name, evaluated(text, Object.fromEntries(given))]);
    ended = await bash(run ?? '', environmentOf({ ...github, ...Object.fromEntries(own) }), directory);
  }
  const set = readFileSync(outputs, 'utf8').matchAll(/^([\w-]+)=(.*)$/gm);
  const values = Object.fromEntries(
    [...set].map(([, name, value]) => [`steps.judge.outputs.${name}`, value]),
  );
  const told = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value, values)]);
  const readable = (file: string) => readFileSync(join(directory, file), 'utf8');
  return {
    ...ended,
    annotations: ended.output.split('\n').filter((line) => line.startsWith('::')),
    summary: readFileSync(summary, 'utf8'),
    outputs: Object.fromEntries(told) as Record<string, string>,
    reports: REPORTS.flatMap((file) => (ended.code === 2 ? [] : [readable(join('reports', file))])),
  };
}

const REPORTS = ['summary.md', 'junit.xml', 'report.html'];

test('the action needs nothing but Node beside its own steps', () => {
  const used = action.runs.steps.flatMap(({ uses }) => uses ?? []);
  expect(used).toEqual([expect.stringMatching(/^actions\/setup-node@v\d+$/)]);
});

/** The checks of a short run: one of the interface, and one that finds a fault of the wrong server. */
const only = 'digest-shape,used-code-refused';

test.concurrent('the action passes a right server, with summary and outputs', RUN, async () => {
  const { code, annotations, summary, outputs, reports } = await runAction({
    file: 'own/plain-js.yaml',
    report: 'reports',
    only,
  });
  expect(code).toBe(0);
  expect(annotations).toEqual([]);
  expect(outputs).toEqual({
    verdict: 'conformant',
    interface: expect.stringMatching(/^conformant \(1 of \d+ requirements judged; /),
    safety: expect.stringMatching(/^no weakness \(1 of \d+ requirements judged; /),
    report: 'reports',
    ...{ passed: '2', failed: '0', inconclusive: '0', warnings: '0', causes: '0' },
  });
  expect(summary).toContain('## Plain JavaScript server: conformant\n');
  expect(summary).toContain(`| ✓ | **Interface** | ${outputs.interface} |`);
  expect(reports[0]).toBe(summary);
});

const wrong = { file: 'own/plain-js-faulty.yaml', report: 'reports', only };

test.concurrent('the action fails a wrong server, and says why beside its file', RUN, async () => {
  const { file } = wrong;
  const { code, annotations, summary, outputs, reports } = await runAction(wrong);
  expect(code).toBe(1);
  const lines = readFileSync(join(EXAMPLES, 'plain-js-faulty.yaml'), 'utf8').split('\n');
  const line = 1 + lines.findIndex((text) => text.trim() === 'confirmOtp:');
  const [annotation = '', ...others] = annotations;
  expect(others).toEqual([]);
  expect(annotation).toMatch(
    `::error file=${file},line=${line},title=used-code-refused::"A code works once"`,
  );
  expect(annotation).toContain('%0ATo do: Compare the code with the newest one');
  expect(outputs).toMatchObject({ verdict: 'not safe', passed: '1', failed: '1', causes: '1' });
  expect(outputs.safety).toMatch(/^1 weakness \(/);
  expect(summary).toContain('| ✕ | **Safety** | 1 weakness (');
  expect(summary).toContain('- ✕ **used-code-refused**, safety essential, good practice, §1 rule 8:');
  for (const text of [annotation, summary, ...reports]) expect(text).not.toContain('only for this example');
});

test.concurrent('with the gate "interface" a weakness is a warning', RUN, async () => {
  const { code, annotations, outputs } = await runAction({ ...wrong, gate: 'interface' });
  expect(code).toBe(0);
  expect(annotations).toEqual([expect.stringMatching(/^::warning file=.*title=used-code-refused::/)]);
  expect(outputs).toMatchObject({ verdict: 'conformant', failed: '1', causes: '1' });
});

test.concurrent('a known failure fails nothing', RUN, async () => {
  const baseline = 'own/known-failures.yaml';
  const files = {
    [baseline]: 'known: [{ check: used-code-refused, because: ticket 12, until: 2999-12-31 }]\n',
  };
  const { code, annotations, outputs } = await runAction({ ...wrong, baseline }, files);
  expect(code).toBe(0);
  expect(annotations).toEqual([]);
  expect(outputs).toMatchObject({ verdict: 'not safe', failed: '1', causes: '0' });
});

test.concurrent('a mistake in the file is shown at its line, without a verdict', RUN, async () => {
  const file = 'own/mistaken.yaml';
  const text = readFileSync(join(EXAMPLES, 'plain-js.yaml'), 'utf8').replace(
    '  user: plain-js',
    '  usr: plain-js',
  );
  const line = 1 + text.split('\n').indexOf('  usr: plain-js');
  const { code, annotations, summary, outputs } = await runAction({ file }, { [file]: text });
  expect(code).toBe(2);
  expect(annotations).toContainEqual(
    expect.stringMatching(`^::error file=${file},line=${line},title=not set up::`),
  );
  expect(summary).toMatch(
    /^## No verdict\n\nNot set up.<br>\nFailed to use the adapter file own\/mistaken.yaml/,
  );
  expect(outputs).toMatchObject({ verdict: 'not set up', passed: '' });
});
