/** Lets a tap collect what a person does with the client, and what the client then shows, logs and keeps. */
import type { Tap } from '../../../engine/case/tap.ts';
import type { Front } from '../servers/front.ts';
import type { ClientDriver } from './driver.ts';

/** The driver with a tap; the very driver where there is none. */
export function tapped(
  driver: ClientDriver,
  front: Pick<Front, 'place'>,
  tap: Tap | undefined,
): ClientDriver {
  if (!tap) return driver;
  const { logged, kept } = driver;
  const step = () => front.place?.step ?? 0;
  return {
    ...driver,
    async act(action) {
      const at = step();
      tap.acted(at, action);
      const seen = await driver.act(action);
      tap.answered(at, seen);
      return seen;
    },
    ...(logged && {
      logged() {
        const texts = logged();
        tap.hidden(step(), 'log', texts.join('\n'));
        return texts;
      },
    }),
    ...(kept && {
      async kept() {
        const texts = await kept();
        tap.hidden(step(), 'storage', texts.join('\n'));
        return texts;
      },
    }),
  };
}
