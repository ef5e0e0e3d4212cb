import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { inputsFor, runCampaign } from './campaign.ts';
import { type RawInput, readFinding } from './input.ts';
import { changeProblems, problemsOfRaw } from './judge.ts';
import { replay } from './replay.ts';
import { GOOD_CALL } from './seeds.ts';
import { type FuzzSubject, startSubject } from './subject.ts';
import { checkAlive, tryOne } from './trial.ts';

let subject: FuzzSubject;
beforeAll(async () => {
  subject = await startSubject('ehr');
});
afterAll(() => subject.stop());

const regressions = fileURLToPath(new URL('regressions', import.meta.url));
const ehrInputs = inputsFor('ehr', '/1.0-alpha/', true);

test('a short run of every kind of input breaks nothing', async () => {
  const levels = new Set<string>();
  for (const input of fc.sample(ehrInputs, { seed: 20_260_115, numRuns: 240 })) {
    levels.add(input.level);
    expect([input, await tryOne(subject, input)]).toEqual([input, []]);
  }
  expect([...levels].sort()).toEqual(['raw', 'rpc', 'sequence']);
});

test('sequences reach what the state model can answer', () => {
  const sequences = fc
    .sample(ehrInputs, { seed: 1, numRuns: 400 })
    .filter(({ level }) => level === 'sequence');
  const kinds = new Set(
    sequences.flatMap((input) => (input.level === 'sequence' ? input.steps : [])).map(({ kind }) => kind),
  );
  expect(kinds.size).toBe(8);
});

test('bodies that are dear to parse break neither server', async () => {
  const auth = await startSubject('auth');
  try {
    for (const [party, limit] of [
      [subject, 1024 * 1024],
      [auth, 64 * 1024],
    ] as const) {
      for (const shape of COSTLY_SHAPES) {
        for (const bytes of [limit, 20_000]) {
          const body = costlyBody(shape, { ...GOOD_CALL, method: 'none.such' }, bytes);
          const broke = await tryOne(party, { level: 'rpc', body });
          expect([party.party, shape, bytes, broke]).toEqual([party.party, shape, bytes, []]);
        }
      }
    }
  } finally {
    await auth.stop();
  }
});

test('what was found once is not found again', async () => {
  const files = readdirSync(regressions).filter((file) => file.endsWith('.json'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect([file, await tryOne(subject, readFinding(join(regressions, file)).input)]).toEqual([file, []]);
  }
});

test('a change of what is stored that no call may have made is noticed', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"patient.get_patient"}';
  const refusal = '{"jsonrpc":"2.0","id":"1","error":{"data":{"reason":"not_authorized"}}}';
  expect(changeProblems(body, refusal, 'state')).toHaveLength(1);
  expect(changeProblems(body, refusal, 'failures')).toHaveLength(1);
  expect(changeProblems(body, refusal, 'none')).toEqual([]);
  const logout = body.replace('patient.get_patient', 'embedded_storage.remove_auth_info');
  expect(changeProblems(logout, '{"jsonrpc":"2.0","id":"1","result":{}}', 'state')).toEqual([]);
  expect(await checkAlive(subject)).toEqual([]);
});

test('a 5xx, an internal error, half an answer and an open connection are noticed', () => {
  const input: RawInput = { level: 'raw', bytes: '', cuts: [], ending: 'wait' };
  const problems = (bytes: string, isHung = false) => problemsOfRaw(input, { bytes, isHung });
  const answer = (status: number, body: string) =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const internalError = '{"jsonrpc":"2.0","error":{"code":-32603,"data":{"reason":"internal_error"}}}';
  expect(problems(answer(200, '{"jsonrpc":"2.0","result":{}}'))).toEqual([]);
  for (const broken of [
    answer(500, '{}'),
    answer(200, '{'),
    answer(200, internalError),
    answer(200, '{}').slice(0, -1),
  ])
    expect(problems(broken)).toHaveLength(1);
  expect(problems('', true)).toHaveLength(1);
});

test('the same seed makes the same inputs, another seed others', () => {
  const inputs = (seed: number) => fc.sample(ehrInputs, { seed, numRuns: 50 });
  expect(inputs(7)).toEqual(inputs(7));
  expect(inputs(7)).not.toEqual(inputs(8));
});

test('a campaign finds a broken party, makes the input small and writes it down', async () => {
  const directory = temporaryFolder();
  // A party that takes offence at every body in which a user is named.
  const broken = (): FuzzSubject => ({
    ...subject,
    methods: {},
    endpoint: subject.endpoint,
    stop: async () => undefined,
  });
  const found: string[] = [];
  const { findings } = await runCampaign({
    seed: 3,
    inputs: 60,
    timeMs: 1,
    clock: manualClock(),
    start: async () => broken(),
    directory,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onFinding: (_finding, file) => found.push(file),
  });
  const [finding] = findings;
  expect(finding).toMatchObject({ party: 'ehr', seed: 3, alone: true });
  expect(readFinding(found[0] as string)).toEqual(finding);
  expect(JSON.parse(readFileSync(found[0] as string, 'utf8')).input.level).toBe(finding?.input.level);
  expect(JSON.stringify(finding?.input).length).toBeLessThan(400);
});

test('a file to replay that is missing, or holds no finding, is used wrongly', async () => {
  const other = join(temporaryFolder(), 'other.json');
  writeFileSync(other, '{}');
  const why = 'Please name a file that npm run fuzz has written.';
  for (const [file, what] of [
    ['missing.json', 'there is no such file'],
    [other, 'it holds no finding'],
  ] as const)
    await expect(replay([file], () => undefined)).rejects.toThrow(
      `Failed to replay ${file}: ${what}. ${why}`,
    );
});

test('a kept finding is replayed against a party of its own', async () => {
  const said: string[] = [];
  const [file = ''] = readdirSync(regressions).map((name) => join(regressions, name));
  expect(await replay([file], (line) => said.push(line))).toBe(true);
  expect(said).toEqual([`${file}: nothing breaks`]);
});
