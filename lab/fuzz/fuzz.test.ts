import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { GOOD_CALL } from './base-state.ts';
import { readFinding } from './findings.ts';
import { generatorOf } from './generate.ts';
import type { Input, RawInput } from './input.ts';
import { changeProblems, problemsOfRaw } from './judge.ts';
import { minimise } from './minimise.ts';
import { type Subject, startSubject } from './subject.ts';
import { checkAlive, tryOne } from './trial.ts';

let subject: Subject;
beforeAll(async () => {
  subject = await startSubject('ehr');
}, 60_000);
afterAll(() => subject.stop());

const regressions = fileURLToPath(new URL('regressions', import.meta.url));

test('a short run of every kind of input breaks nothing', async () => {
  const generate = generatorOf(20_260_115, 'ehr', subject.endpoint.pathname, subject.levels);
  const levels = new Set<string>();
  for (let index = 0; index < 240; index++) {
    const input = generate(index);
    levels.add(input.level);
    expect([index, await tryOne(subject, input)]).toEqual([index, []]);
  }
  expect([...levels].sort()).toEqual(['raw', 'rpc', 'sequence']);
}, 120_000);

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
}, 60_000);

test('what was found once is not found again', async () => {
  const files = readdirSync(regressions).filter((file) => file.endsWith('.json'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect([file, await tryOne(subject, readFinding(join(regressions, file)).input)]).toEqual([file, []]);
  }
}, 60_000);

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
  const problems = (bytes: string, end: 'closed' | 'hung' = 'closed') => problemsOfRaw(input, { bytes, end });
  const answer = (status: number, body: string) =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expect(problems(answer(200, '{"jsonrpc":"2.0","result":{}}'))).toEqual([]);
  expect(problems(answer(500, '{}'))).toHaveLength(1);
  expect(problems(answer(200, '{'))).toHaveLength(1);
  expect(
    problems(answer(200, '{"jsonrpc":"2.0","error":{"code":-32603,"data":{"reason":"internal_error"}}}')),
  ).toHaveLength(1);
  expect(problems(answer(200, '{}').slice(0, -1))).toHaveLength(1);
  expect(problems('', 'hung')).toHaveLength(1);
});

test('the same seed makes the same inputs, another seed others', () => {
  const inputs = (seed: number) => {
    const generate = generatorOf(seed, 'ehr', '/1.0-alpha/', ['raw', 'rpc', 'sequence']);
    return Array.from({ length: 50 }, (_, index) => generate(index));
  };
  expect(inputs(7)).toEqual(inputs(7));
  expect(inputs(7)).not.toEqual(inputs(8));
});

test('an input is made as small as it goes while it still breaks', async () => {
  const noise = String.fromCharCode(...seededRandom(1)(300).map((byte) => 97 + (byte % 26)));
  const input: Input = { level: 'rpc', body: `${noise}{${noise}}${noise}` };
  const breaks = async (smaller: Input) => smaller.level === 'rpc' && /\{.*\}/.test(smaller.body);
  expect(await minimise(input, breaks, 2_000)).toEqual({ level: 'rpc', body: '{}' });
});
