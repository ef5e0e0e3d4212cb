/** All worlds of a demo in one process: of each its parties and its console, behind one port of pages. */
import { type Consoles, openWorlds } from '#console/server/open-console.ts';
import { packageVersion } from '#service/process/command-line/program-name.ts';
import { createLog } from '#service/process/log.ts';
import type { WorldPorts, WorldsSetup } from './setup.ts';
import { startParties, type WorldParties } from './start-parties.ts';

/** @throws Error that says what is wrong, when a port is taken or the population cannot be opened */
export async function startWorlds(setup: WorldsSetup): Promise<Consoles> {
  const started: WorldParties[] = [];
  let consoles: Consoles | undefined;
  const stop = async () => {
    await consoles?.stop();
    await Promise.all(started.map((parties) => parties.stop()));
  };
  try {
    const options: Record<string, ReturnType<typeof consoleOptions>> = {};
    for (const { name, token, ports } of setup.worlds) {
      const parties = await startParties(setup, ports);
      started.push(parties);
      options[name] = consoleOptions(setup, token, ports, parties);
    }
    const page = { port: setup.pagePort, directory: setup.pageDirectory };
    consoles = await openWorlds(options, page, createLog('console', setup.logLevel));
    await Promise.all(consoles.worlds.map((world) => world.watch()));
    return { ...consoles, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function consoleOptions(setup: WorldsSetup, token: string, ports: WorldPorts, { urls }: WorldParties) {
  const { internalUser, internalPassword, seed } = setup;
  return {
    ports,
    parties: urls,
    apiVersion: '1.0-alpha',
    internalUser,
    internalPassword,
    token,
    seed,
    version: packageVersion(),
  };
}
