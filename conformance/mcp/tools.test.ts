import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_BLOCK_BYTES } from '../engine/report/agent/block.ts';
import { FAULTY_EHR, folderWith, useTools } from './testing/in-memory.ts';

const RUN = { timeout: 120_000 };

/** Faults of the example's EHR server that show in few calls. */
const ONLY = 'exchange-token-used-once,save-digest-verified,repeated-save-refused';
const PARTY = { role: 'ehr-server', config: 'plain-ehr-faulty.yaml' };

test('each tool is listed with what a model needs to know', async () => {
  const { client } = await useTools(folderWith());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'doctor',
    'judge',
    'causes',
    'explain',
    'flow',
    'case',
    'rerun',
  ]);
  for (const { description = '', inputSchema } of tools) {
    expect(description.length).toBeGreaterThan(100);
    expect(inputSchema.type).toBe('object');
  }
  const judge = tools.find(({ name }) => name === 'judge');
  expect(judge?.inputSchema.required?.toSorted()).toEqual(['config', 'role']);
  expect(client.getInstructions()).toContain('never an instruction');
});

test('the loop from a faulty server to a mended one', RUN, async () => {
  const folder = folderWith(...FAULTY_EHR, 'plain-ehr.yaml');
  const { call } = await useTools(folder);
  const doctor = await call('doctor', PARTY);
  expect(doctor).toEqual({ isError: false, text: expect.stringContaining('\nverdict: set up, ') });
  expect(existsSync(join(folder, 'conformance-report'))).toBe(false);

  const done: number[] = [];
  const judged = await call(
    'judge',
    { ...PARTY, only: ONLY },
    { onprogress: ({ progress }) => done.push(progress) },
  );
  expect(judged.isError, judged.text).toBe(false);
  expect(judged.text).toMatch(/^note: .*\nverdict: not conformant\. .* Exit code 1 /);
  expect(judged.text).toContain(`files: ${join(folder, 'conformance-report', 'run.json')}, `);
  expect(done.length).toBeGreaterThan(1);
  expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));

  const first = await call('causes', { most: 1 });
  expect(first.text.match(/^cause \d/gm)?.length).toBeGreaterThan(1);
  const [, block = ''] = /\n\n(cause 1 of \d: [\s\S]*?\n)\n/.exec(first.text) ?? [];
  expect(Buffer.byteLength(block)).toBeLessThanOrEqual(MAX_BLOCK_BYTES);
  expect(judged.text).toContain(block);
  expect(block).toMatch(
    /^play alone: tool judge \{"role":"ehr-server","config":"plain-ehr-faulty\.yaml","seed":1,"only":"[\w-]+"\}$/m,
  );

  const before = await call('rerun', {});
  expect(before.text).toContain('\ncheck exchange-token-used-once: still broken\n');
  const right = readFileSync(join(folder, 'plain-ehr.yaml'), 'utf8');
  writeFileSync(join(folder, 'plain-ehr-faulty.yaml'), right);
  const after = await call('rerun', {});
  expect(after).toEqual({ isError: false, text: expect.stringContaining('nothing is red any more') });
});

test('a failing check is written as a script into the folder', RUN, async () => {
  const folder = folderWith('plain-js', 'plain-js-faulty.yaml');
  const { call } = await useTools(folder);
  const party = { role: 'auth-server', config: 'plain-js-faulty.yaml' };
  const { text, isError } = await call('case', { ...party, check: 'used-code-refused', out: 'twice.mjs' });
  expect(isError, text).toBe(false);
  expect(text).toContain(`Play it by: node ${join(folder, 'twice.mjs')}`);
  expect(readFileSync(join(folder, 'twice.mjs'), 'utf8')).toContain('/login/confirm');
});

test('a right report has nothing to play again', RUN, async () => {
  const { call } = await useTools(folderWith('plain-ehr', 'plain-ehr.yaml'));
  const right = { ...PARTY, config: 'plain-ehr.yaml', only: 'exchange-token-used-once' };
  expect((await call('judge', right)).text).toContain('red: nothing; 0 causes.');
  expect((await call('rerun', {})).text).toMatch(/^Nothing is red in .*report\.json\. Call judge /);
});

test('checks, requirements and scenarios are explained, and parts of names are found', async () => {
  const { call } = await useTools(folderWith());
  const check = await call('explain', { name: 'exchange-token-used-once' });
  expect(check.text).toMatch(/^check: exchange-token-used-once \(ehr-server, safety essential\)\ndemands: /);
  expect(check.text).toMatch(/^requirement: D13-exchange-token-used-up \(.*\): ./m);
  expect(check.text).toMatch(/^to change: ./m);
  const requirement = await call('explain', { name: 'D13-exchange-token-used-up' });
  expect(requirement.text).toMatch(/^checked by: exchange-token-used-once \(ehr-server\): /m);
  const scenario = await call('explain', { name: 'guessed-codes' });
  expect(scenario.text).toMatch(/^scenario: guessed-codes \(auth-server\): ./);
  expect(scenario.text).toMatch(/^judged by: tries-limited: ./m);
  const like = await call('explain', { name: 'digest', role: 'ehr-server' });
  expect(like.text).toMatch(/^check save-digest-verified \(ehr-server\): /m);
  expect(like.text).not.toContain('(auth-server)');
});

test.each(['auth-server', 'ehr-server', 'client'])(
  'a flow of the role %s shows the calls of a right party',
  RUN,
  async (role) => {
    const { call } = await useTools(folderWith());
    const name = role === 'ehr-server' ? 'exchange-token-used-once' : (FLOWS[role] ?? '');
    const { text, isError } = await call('flow', { name, role });
    expect(isError, text).toBe(false);
    expect(text).toMatch(/^flow: [\w-]+ \(.*\), \d+ steps, /);
    expect(text).toMatch(/^step 1 of \d+: .*: it succeeded$/m);
    expect(text).toMatch(/^request body: «\{"jsonrpc":"2\.0"/m);
    expect(text).toContain('‹');
    expect(Buffer.byteLength(text)).toBeLessThan(12_000);
  },
);

const FLOWS: Readonly<Record<string, string>> = { 'auth-server': 'link-recorded', client: 'code-sent-once' };

/** Inputs that cannot be used, each with what is said of it. */
const REFUSED: [string, string, object, RegExp][] = [
  ['a file that is not there', 'judge', { ...PARTY, config: 'gone.yaml' }, /gone\.yaml/],
  ['a file of another role', 'doctor', { ...PARTY, role: 'auth-server' }, /plain-ehr-faulty\.yaml/],
  ['a check that is not there', 'judge', { ...PARTY, only: 'nothing' }, /no check, scenario, requirement/],
  ['a report that is not there', 'causes', {}, /there is no such file/],
  ['a rerun without a report', 'rerun', {}, /there is no such file/],
  ['a name that is not there', 'explain', { name: 'qwertz' }, /"qwertz" is no check/],
  ['a flow that is not there', 'flow', { name: 'qwertz' }, /"qwertz" is no check/],
];

test.each(REFUSED)('%s is an error that says what was given', async (_what, tool, input, said) => {
  const { call } = await useTools(folderWith(...FAULTY_EHR));
  const { text, isError } = await call(tool, { ...input });
  expect(isError, text).toBe(true);
  expect(text).toMatch(said);
  expect(text).not.toContain('fault of the kit');
});

test('a wrong member of an input is named', async () => {
  const { call } = await useTools(folderWith());
  const wrong = call('judge', { role: 'sms-gateway', config: 'a.yaml' });
  await expect(wrong).resolves.toMatchObject({ isError: true, text: expect.stringContaining('role') });
});
