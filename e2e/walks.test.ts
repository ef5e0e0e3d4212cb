import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answersIn, runBash, withAddresses } from '#testing/bash-block.ts';
import { ehrAlone } from '#testing/worlds/ehr-alone.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import type { World } from '#testing/worlds/world.ts';

const script = (name: string) => readFileSync(new URL(`../docs/examples/${name}`, import.meta.url), 'utf8');
const flow = script('flow.sh');

/** Runs the script of the whole flow. Returns a line for each call: its method and its answer. */
async function walk({ proxies }: World): Promise<string[]> {
  const here = {
    'http://127.0.0.1:4100': proxies.clientToEhr.url,
    'http://127.0.0.1:4200': proxies.clientToAuth.url,
  };
  const answers = answersIn(await runBash(withAddresses(flow, here)));
  return answers.map(({ method, answer }) => `${method}: ${told(answer)}`);
}

/** Says an answer in a word. */
function told({
  result,
  error,
}: {
  result?: Record<string, unknown>;
  error?: { data: { reason: string } };
}): string {
  if (error) return error.data.reason;
  if (result?.patient) return (result.patient as { name: string }).name;
  return result && 'linked' in result ? `linked ${result.linked}` : 'done';
}

/** Time limit in milliseconds: each walk starts some thirty processes, which takes long on a busy machine. */
const WALK_TIMEOUT_MS = 90_000;

test('the whole flow by curl works, and again later', { timeout: WALK_TIMEOUT_MS }, async () => {
  const world = await useWorld();
  expect(await walk(world)).toEqual([
    ...['auth.request_otp: done', 'auth.confirm_otp: linked false', 'patient.get_patient: not_authorized'],
    ...['auth.exchange_token: done', 'embedded_storage.authenticate: Anna', 'auth.report_link: done'],
    ...['patient.get_patient: Anna', 'embedded_storage.remove_auth_info: done', 'auth.logout: done'],
  ]);
  world.clock.advance(30_000);
  expect(await walk(world)).toEqual([
    ...['auth.request_otp: done', 'auth.confirm_otp: linked true', 'patient.get_patient: Anna'],
    ...['auth.exchange_token: done', 'embedded_storage.authenticate: Anna', 'auth.report_link: done'],
    ...['patient.get_patient: Anna', 'embedded_storage.remove_auth_info: done', 'auth.logout: done'],
  ]);
});

test('the calls by hand to an EHR server alone answer as their comments say', async () => {
  const { ehr } = await ehrAlone({
    env: { EHR_INTERNAL_PORT: '0', EHR_INTERNAL_PASSWORD: 'internal-password' },
  });
  const here = { 'http://127.0.0.1:4100': ehr.url, 'http://127.0.0.1:4102': ehr.internalUrl };
  const answers = answersIn(await runBash(withAddresses(script('by-hand.sh'), here)));
  const outcomes = answers.map(({ answer }) => Object(answer).error?.data.reason ?? 'ok');
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'token_already_stored', 'ok', 'ok', 'ok']);
});
