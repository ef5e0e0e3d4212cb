/** For tests: a demo with ports that no other program takes between two starts. */
import { onTestFinished } from 'vitest';
import { root } from '#scripts/set-up/set-up.mjs';
import { startProgram } from '#testing/programs/program.ts';
import { portProblem } from '../prepare/ports.ts';

export const DEMO_TIMEOUT_MS = 120_000;

export function startDemo(flags: readonly string[], env: Record<string, string> = {}) {
  const args = ['scripts/run.mjs', 'demo/main.ts', '--patients', '0', '--log-level', 'error', ...flags];
  const { child, ...demo } = startProgram(args, { cwd: root, env });
  // It stops its parties, which a killed one would leave to themselves for a moment.
  onTestFinished(() => void child.kill('SIGTERM'));
  return { ...demo, stop: async () => (await demo.stop('SIGINT')).code };
}

/** The ports of a demo, named as its flags: `--ehr-port`. */
const FLAGS = ['ehr', 'ehr-internal', 'ehr-control', 'auth', 'auth-control', 'client', 'console'] as const;

type Ports = Readonly<Record<(typeof FLAGS)[number], number>>;

/** How many ports each process of tests has for itself: enough for ten demos. */
const PORTS_OF_PROCESS = 100;

/** The next port for a demo, below those that systems give away. */
let nextPort = 11_000 + (process.pid % 200) * PORTS_OF_PROCESS;

/** Returns ports that are free. */
export async function portsOfDemo(): Promise<Ports> {
  const needed = FLAGS.map((flag) => {
    const port = nextPort++;
    // The other two are for the sentence about a port in use, which nobody reads here.
    return { port, flag, who: flag, freePort: port };
  });
  if ((await portProblem(needed)) !== undefined) return portsOfDemo();
  return Object.fromEntries(needed.map(({ flag, port }) => [flag, port])) as Ports;
}

/** The flags that choose these ports. */
export const flagsOf = (ports: Ports): string[] =>
  FLAGS.flatMap((flag) => [`--${flag}-port`, String(ports[flag])]);
