/** What the demo tells the program that runs its worlds. */
import { z } from 'zod';
import { logLevel } from '#service/process/command-line/settings.ts';

const port = z.int().min(1).max(65_535);

/** The addresses of a world, which its parties and the pages know before it starts. */
const worldPorts = z.object({ client: port, auth: port, ehr: port, internal: port });

export const worldsSetup = z.object({
  worlds: z.array(z.object({ name: z.string(), token: z.string(), ports: worldPorts })).min(1),
  /** The port of the pages. */
  pagePort: port,
  pageDirectory: z.string(),
  misDatabase: z.string(),
  internalUser: z.string(),
  internalPassword: z.string(),
  seed: z.int(),
  logLevel,
});

export type WorldsSetup = z.output<typeof worldsSetup>;

/** The variable that holds it, as JSON: every user of the machine can read a command line. */
export const WORLDS_SETUP = 'DEMO_WORLDS_SETUP';

export type WorldPorts = z.output<typeof worldPorts>;

const PORTS_A_WORLD = 4;

/**
 * The ports of a world follow that of the pages, so that they are the same at each start.
 * @param index of the world, from 0
 */
export function portsOfWorld(pagePort: number, index: number): WorldPorts {
  const first = pagePort + 1 + index * PORTS_A_WORLD;
  return { client: first, auth: first + 1, ehr: first + 2, internal: first + 3 };
}

/** The address of a world's console with its token. */
export function worldAddress(pagePort: number, { name, token }: { name: string; token: string }): string {
  return `http://127.0.0.1:${pagePort}/w/${name}/?token=${token}`;
}
