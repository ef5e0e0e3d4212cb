import { expect, test } from 'vitest';
import { answersIn, bashBlock, runBash, withAddresses } from '#testing/bash-block.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import type { World } from '#testing/worlds/world.ts';

const block = bashBlock(new URL('../README.md', import.meta.url), 'auth.request_otp');

/** Runs the block of the README in this world. Returns one line for each call: the method and its answer. */
async function walk({ proxies }: World): Promise<string[]> {
  const here = {
    'http://127.0.0.1:4100': proxies.clientToEhr.url,
    'http://127.0.0.1:4200': proxies.clientToAuth.url,
  };
  const answers = answersIn(await runBash(withAddresses(block, here)));
  return answers.map(({ method, answer }) => `${method}: ${told(answer)}`);
}

/** Formats an answer as the README shows it. */
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

test('the walk by curl works as the README says, and again later', { timeout: WALK_TIMEOUT_MS }, async () => {
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
