/** Runs the worlds of the demo, which `npm run demo -- --worlds` starts. */
import { runParty } from '#service/process/run.ts';
import { WORLDS_SETUP, worldsSetup } from './setup.ts';
import { startWorlds } from './start-worlds.ts';

await runParty(async () => {
  const worlds = await startWorlds(worldsSetup.parse(JSON.parse(process.env[WORLDS_SETUP] ?? '')));
  process.stdout.write(`${worlds.worlds.length} worlds ready at ${worlds.url}/\n`);
  return () => worlds.stop();
});
