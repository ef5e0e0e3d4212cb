/** Runs a command that opens parties of any make. What it cannot use, and what breaks it off, ends it. */
import { ask, breakable, brokenOffCode, tell } from '#conformance/engine/cli/commands/common.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { UNUSABLE_COMMAND_LINE } from '#service/process/command-line/tool-command.ts';
import { PartyFileError } from '../parties/load.ts';
import type { PartiesParts } from '../parties/open.ts';
import { PartyStartError } from '../parties/start-error.ts';

export async function withParties(run: (parts: PartiesParts) => Promise<number>): Promise<number> {
  const signal = breakable();
  try {
    return await run({ clock: systemClock, random: systemRandom, env: process.env, signal, tell, ask });
  } catch (error) {
    if (error instanceof PartyFileError || error instanceof PartyStartError) return unusable(error.message);
    if (!signal.aborted) throw error;
    process.stderr.write('The run was broken off.\n');
    return brokenOffCode(signal);
  }
}

export function unusable(message: string): number {
  process.stderr.write(`${message}\n`);
  return UNUSABLE_COMMAND_LINE;
}
