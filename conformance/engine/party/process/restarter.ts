/** Has the script of a case restart a server that runs in this process, by the command of RESTART. */
import { createServer } from 'node:http';
import { bindServer } from '../../wire/bind.ts';

/** The command that restarts a server, and what closes the port to which it goes. */
export type Restarter = { command: string; close: () => Promise<unknown> };

/** Opens a port at which each request restarts a server. */
export async function openRestarter(restart: () => Promise<unknown> | undefined): Promise<Restarter> {
  const server = createServer((_request, response) => {
    const restarted = async () => void (await restart());
    // The next call of the script tells that nothing answers.
    restarted().then(
      () => response.end(),
      () => response.writeHead(500).end(),
    );
  });
  const { url, stop } = await bindServer(server, '127.0.0.1', 0);
  return { command: `"${process.execPath}" -e "fetch('${url}')"`, close: stop };
}
