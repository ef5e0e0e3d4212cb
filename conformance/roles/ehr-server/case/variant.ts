/** An EHR server of the self-test as a party of a case. */
import { createServer } from 'node:http';
import type { CaseParty } from '../../../engine/case/told.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import { openRestarter } from '../../../engine/party/process/restarter.ts';
import { bindServer } from '../../../engine/wire/bind.ts';
import { fileFor, playEhr } from '../self-test/play.ts';
import { type EhrChange, serveEhr } from '../self-test/serve.ts';
import { environmentOf, partsOf } from './parts.ts';

/** The party that a variant is. */
export function partyOf(change: EhrChange, { clock, seed, signal }: PlayOptions): CaseParty {
  return {
    play: ({ scenarios }, tap) => playEhr(change, { clock, seed, signal, scenarios, tap }),
    async stand() {
      let served = await serveEhr(change);
      const control = await controlOf((ms) => served.advance(ms));
      const restarter = await openRestarter(async () => served.restart());
      const settings = () => fileFor(served, change.settings).settings;
      return {
        parts: (told) => partsOf(settings(), control.url, told),
        get env() {
          return { ...environmentOf(settings(), control.url), RESTART: restarter.command };
        },
        async reset() {
          await served.close();
          served = await serveEhr(change);
        },
        async close() {
          await restarter.close();
          await control.stop();
          await served.close();
        },
      };
    },
  };
}

/** Moves the clock, as the control of a server does. */
function controlOf(advance: (ms: number) => void) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    // Whatever the file of another server sends: the number is how far the clock is moved.
    advance(Number(/\d+/.exec(text)?.[0] ?? 0));
    response.end('{}');
  });
  return bindServer(server, '127.0.0.1', 0);
}
