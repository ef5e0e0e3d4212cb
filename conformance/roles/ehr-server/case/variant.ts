/** An EHR server of the self-test as a party of a case. */
import { createServer } from 'node:http';
import type { CaseParty } from '../../../engine/case/make.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import { bindServer } from '../../../engine/wire/bind.ts';
import { fileFor, playEhr } from '../self-test/play.ts';
import { type EhrChange, type ServedEhr, serveEhr } from '../self-test/serve.ts';
import { environmentOf, partsOf } from './parts.ts';

/** The party that a variant is. */
export function partyOf(change: EhrChange, { clock, seed, signal }: PlayOptions): CaseParty {
  return {
    play: ({ scenarios }, tap) => playEhr(change, { clock, seed, signal, scenarios, tap }),
    async stand() {
      let served = await serveEhr(change);
      const control = await controlOf(() => served);
      const settings = () => fileFor(served, change.settings).settings;
      return {
        parts: (told) => partsOf(settings(), control.url, told),
        get env() {
          return { ...environmentOf(settings(), control.url), RESTART: restartBy(control.url) };
        },
        async reset() {
          await served.close();
          served = await serveEhr(change);
        },
        async close() {
          await control.stop();
          await served.close();
        },
      };
    },
  };
}

/** Moves the clock and restarts, as the control of a server does. */
function controlOf(served: () => ServedEhr) {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    if (request.url === '/restart') served().restart();
    // Whatever the file of another server sends: the number is how far the clock is moved.
    else served().advance(Number(/\d+/.exec(text)?.[0] ?? 0));
    response.end('{}');
  });
  return bindServer(server, '127.0.0.1', 0);
}

/** The command that restarts the server of this control. */
const restartBy = (url: string) => `${process.execPath} -e "fetch('${url}/restart')"`;
