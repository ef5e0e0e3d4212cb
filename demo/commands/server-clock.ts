/** Shows and moves the clock of a running server over its control port. */
import { z } from 'zod';
import { commandLine } from '#service/process/command-line/program-name.ts';

export type ClockedServer = { readonly title: string; readonly port: number };

const TIMEOUT_MS = 5_000;

/** A server's time in milliseconds, after moving its clock if requested. */
export async function clockOf({ title, port }: ClockedServer, move?: { advance: number }): Promise<number> {
  const url = `http://127.0.0.1:${port}/clock`;
  const request = move && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(move),
  };
  let response: Response;
  try {
    response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new Error(
      `Failed to reach the clock of ${title} at ${url}. Does the demo run? Start it with ${commandLine('demo')}.`,
      { cause },
    );
  }
  const answer = z.object({ now: z.number() }).safeParse(await response.json().catch(() => undefined));
  if (response.status !== 200 || !answer.success) {
    throw new Error(
      `${url} did not answer as the clock of ${title} does (HTTP ${response.status}). Is another program using this port?`,
    );
  }
  return answer.data.now;
}
