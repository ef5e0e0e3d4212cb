/** What a demo runs, and what it does and says once all of it answers. */
import { randomToken, systemRandom } from '#protocol/time/random.ts';
import { freePorts } from '#service/http/listener/free-ports.ts';
import { keepOffsets, readOffsets, restoreOffsets } from './commands/clock-offsets.ts';
import type { DemoFile } from './prepare/demo-file.ts';
import type { Prepared } from './prepare/prepare.ts';
import { type ConsoleParts, consoleAddress, type DemoParty, partiesOf } from './run/parties.ts';
import { screenOf } from './screen.ts';
import { clockedServersOf, type DemoConfig } from './settings.ts';

export type DemoPlan = {
  readonly parties: readonly DemoParty[];
  readonly addresses: DemoFile;
  /** Called once all parties answer. Returns the screen. @param over fires when the demo ends */
  whenReady(over: AbortSignal): Promise<string>;
};

export async function planOf(
  config: DemoConfig,
  prepared: Prepared,
  typed: readonly string[],
): Promise<DemoPlan> {
  return partiesPlan(config, prepared, typed, config.console ? await openConsoleParts() : undefined);
}

function partiesPlan(
  config: DemoConfig,
  prepared: Prepared,
  typed: readonly string[],
  parts: ConsoleParts | undefined,
): DemoPlan {
  const address = parts && consoleAddress(config, parts);
  return {
    parties: partiesOf(config, prepared, parts),
    addresses: { address, control: { ehr: config.ehrControlPort, auth: config.authControlPort } },
    async whenReady(over) {
      const offsets = readOffsets(prepared.clockOffsets);
      const servers = clockedServersOf(config);
      await restoreOffsets(servers, offsets);
      over.addEventListener('abort', keepOffsets(servers, prepared.clockOffsets));
      return screenOf(config, { typed, offsets, console: address });
    },
  };
}

async function openConsoleParts(): Promise<ConsoleParts> {
  const [ehr = 0, internal = 0, auth = 0] = await freePorts(3);
  return { token: randomToken(systemRandom), behind: { ehr, internal, auth } };
}
