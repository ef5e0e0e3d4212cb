/** Runs the example scripts of the documentation, and tells their answers in a word each. */
import { readFileSync } from 'node:fs';
import { answersIn, runBash, withAddresses } from '#testing/bash-block.ts';
import type { World } from '#testing/worlds/world.ts';

/** An example script of the documentation. */
export const script = (name: string) =>
  readFileSync(new URL(`../../docs/examples/${name}`, import.meta.url), 'utf8');

/** Runs the script of the whole flow. Returns a line for each call: its method and its answer. */
export async function walk({ proxies }: World): Promise<string[]> {
  const here = {
    'http://127.0.0.1:4100': proxies.clientToEhr.url,
    'http://127.0.0.1:4200': proxies.clientToAuth.url,
  };
  const answers = answersIn(await runBash(withAddresses(script('flow.sh'), here)));
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
export const WALK_TIMEOUT_MS = 90_000;
