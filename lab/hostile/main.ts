/** `npm run hostile`: measures how the servers withstand hostile connections and bodies. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '#protocol/time/clock.ts';
import { openFilesLimit } from '#service/process/open-files.ts';
import { SettingsError } from '#service/process/settings.ts';
import { connectionsWithin } from './children.ts';
import { ATTACKS, type AttackName } from './messages.ts';
import { heading, rowText } from './report.ts';
import { runHostile } from './run.ts';
import { canPin } from './server.ts';
import { readHostileSettings } from './settings.ts';

const EXIT = { held: 0, broken: 1, usage: 2, failed: 3, interrupted: 130 } as const;

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

async function run(): Promise<number> {
  const settings = readHostileSettings(process.argv.slice(2), process.env);
  if (!settings) return EXIT.held;
  const attacks = settings.only.length > 0 ? settings.only : (Object.keys(ATTACKS) as AttackName[]);
  const wanted = Math.min(settings.connections, Math.max(...attacks.map((name) => ATTACKS[name].connections)));
  const connections = connectionsWithin(wanted, openFilesLimit(), settings.scaleDown);
  if (connections < wanted) process.stderr.write(`Warning: scaled down to ${connections} of ${wanted} connections.\n`);
  if (!canPin())
    process.stderr.write('Warning: the server shares its core with the attackers, so that times are rough.\n');
  process.stdout.write(`${heading}\n`);
  const rows = await runHostile({
    attacks,
    rateLimit: settings.rateLimit,
    connections,
    milliseconds: settings.seconds * 1_000,
    rounds: settings.rounds,
    clock: systemClock,
    signal: interrupt.signal,
    onStep: (what) => void process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${what}` : `${what}\n`),
    onRow(row) {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      process.stdout.write(`${rowText(row)}\n`);
    },
  });
  mkdirSync(dirname(settings.json), { recursive: true });
  writeFileSync(settings.json, `${JSON.stringify({ settings, rows }, undefined, 2)}\n`);
  return rows.every(({ broken }) => broken.length === 0) ? EXIT.held : EXIT.broken;
}

function failure(error: unknown): number {
  if (interrupt.signal.aborted) {
    process.stderr.write('Interrupted; nothing was left behind.\n');
    return EXIT.interrupted;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof SettingsError ? EXIT.usage : EXIT.failed;
}

// Pending work of a stopped run must not keep the process alive.
process.exit(await run().catch(failure));
