/** Starts the server of a client's page as the file says, and waits until the page answers. */
import type { Clock } from '#protocol/time/clock.ts';
import { deadline } from '#protocol/time/clock.ts';
import type { Env } from '../../../../engine/party/file/env.ts';
import { type Child, runChild } from '../../../../engine/party/process/child.ts';
import { ServerStartError } from '../../../../engine/party/process/server-process.ts';
import { pause } from '../../../../engine/party/requests/pause.ts';
import { fill } from '../../../../engine/party/requests/template.ts';
import type { BrowserSettings } from './settings.ts';

export type PageServerParts = {
  variables: Readonly<Record<'authUrl' | 'ehrUrl' | 'port' | 'node', string>>;
  clock: Clock;
  env: Env;
  signal: AbortSignal;
  mask: (text: string) => string;
};

const STOP_WITHIN_MS = 2_000;
const POLL_INTERVAL_MS = 50;

/** @throws ServerStartError when the page does not answer; nothing is left running */
export async function startPageServer(
  { address, start }: Pick<BrowserSettings, 'address'> & { start: NonNullable<BrowserSettings['start']> },
  { variables, clock, env, signal, mask }: PageServerParts,
): Promise<Child> {
  const command = start.command.map((argument) => fill(argument, variables) ?? '');
  const own = Object.fromEntries(
    Object.entries(start.env).map(([name, value]) => [name, fill(value, variables) ?? '']),
  );
  const child = await runChild(
    { command, cwd: start.cwd ?? '.', env: { ...env, ...own } },
    { clock, stopWithinMs: STOP_WITHIN_MS, show: mask, onLine: () => undefined },
  ).catch((cause: Error) => {
    throw new ServerStartError(`The client does not start (${command[0]}): ${cause.message}`, { cause });
  });
  const limit = deadline(clock, start.readyWithinMs, new Error('The time is up.'));
  try {
    while (!(await answers(address))) {
      signal.throwIfAborted();
      const why =
        child.ended() ??
        (limit.signal.aborted ? `did not answer within ${start.readyWithinMs} ms` : undefined);
      if (why !== undefined) {
        const said = child.output().slice(-5).join('\n');
        throw new ServerStartError(`The client at ${address} ${why}. Its last lines:\n${said}`);
      }
      await pause(clock, POLL_INTERVAL_MS, signal);
    }
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  } finally {
    limit.cancel();
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    await (await fetch(address)).arrayBuffer();
    return true;
  } catch {
    // It does not listen yet.
    return false;
  }
}
