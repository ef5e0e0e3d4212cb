import { onTestFinished } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { startProgram } from '#testing/programs/program.ts';

export const DEMO_TIMEOUT_MS = 120_000;

export function startDemo(flags: readonly string[], env: Record<string, string> = {}) {
  const args = ['scripts/run.mjs', 'demo/main.ts', '--patients', '0', '--log-level', 'error', ...flags];
  const { child, ...demo } = startProgram(args, { cwd: root, env });
  // It stops its parties, which a killed one would leave to themselves for a moment.
  onTestFinished(() => void child.kill('SIGTERM'));
  return { ...demo, stop: async () => (await demo.stop('SIGINT')).code };
}
