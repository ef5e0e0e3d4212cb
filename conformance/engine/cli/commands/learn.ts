/**
 * The command `learn`: stands between a person's own client and a server while the person uses the client
 * once, and writes the file about the server from what crossed.
 */

import { systemClock } from '#protocol/time/clock.ts';
import { InputError } from '../../input-error.ts';
import { startRecording } from '../../learn/recording.ts';
import { explainUnreachable, findElsewhere } from '../../party/explain-unreachable.ts';
import type { Role } from '../../role.ts';
import { requireNewFile, writeAndExamine } from './init.ts';
import { stopNotSetUp } from './process.ts';

type LearnOptions = {
  server: string;
  /** Where the recording listens; 0: any free port. */
  port: number;
  /** When the recording ends by itself; only by Ctrl-C or Enter unless given. */
  forSeconds?: number;
  file: string | undefined;
  force: boolean;
  doctor: boolean;
};

/** How long the server may take to answer the first request (ms). */
const FIRST_ANSWER_MS = 5_000;

/** Records until the person ends it, and writes the file. Returns the exit code. */
export async function learn(options: LearnOptions, role: Role): Promise<number> {
  const { server, port, forSeconds, file = role.init.file, force } = options;
  requireNewFile(file, force);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  await requireAnswer(server);
  const recording = await startRecording({ server, port, clock: systemClock, say }).catch(stopNotSetUp);
  say(`Let your client use ${recording.url}${pathOf(server)} in place of ${server}, and use it once:
sign in (with a wrong code first), connect the record, log out, sign in again, and delete the account.
${process.stdin.isTTY ? 'Enter or Ctrl-C' : 'Ctrl-C'} ends the recording. It is kept in memory alone.`);
  await untilEnded(forSeconds);
  const seen = recording.exchanges();
  await recording.stop();
  if (seen.length === 0) throw notSetUp(`Nothing came to ${recording.url}: no file was written.`);
  say('');
  return writeAndExamine(seen, options, role);
}

async function requireAnswer(server: string): Promise<void> {
  const { origin } = new URL(server);
  try {
    await fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(FIRST_ANSWER_MS) });
  } catch (error) {
    const { found, remedy } = await explainUnreachable(origin, error, () => findElsewhere(origin, []));
    throw notSetUp(`${found}. ${remedy.replaceAll('server.url', '--server')}`);
  }
}

const notSetUp = (message: string) => new InputError(`Not set up.\n${message}`);

const pathOf = (server: string): string => new URL(server).pathname.replace(/^\/$/, '');

/** Waits for Ctrl-C, `forSeconds`, or Enter at a terminal. A pipe is not read: its lines are answers. */
async function untilEnded(forSeconds: number | undefined): Promise<void> {
  const input = process.stdin;
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const end = () => resolve();
    process.once('SIGINT', end);
    ends.push(() => process.off('SIGINT', end));
    if (forSeconds !== undefined) ends.push(systemClock.after(forSeconds * 1_000, end));
    if (!input.isTTY) return;
    input.once('data', end);
    ends.push(() => void input.off('data', end).pause());
  });
  for (const each of ends) each();
}
