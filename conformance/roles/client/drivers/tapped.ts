/** Lets a tap collect what a person does with the client, and what the client then shows, logs and keeps. */
import type { Tap } from '../../../engine/case/tap.ts';
import type { Front } from '../servers/front.ts';
import type { ClientDriver } from './driver.ts';

/** Makes the driver tell the tap; leaves it as it is where there is none. */
export function tapped(
  driver: ClientDriver,
  front: Pick<Front, 'place'>,
  tap: Tap | undefined,
): ClientDriver {
  if (!tap) return driver;
  const step = () => front.place?.step ?? 0;
  const act = driver.act.bind(driver);
  const logged = driver.logged?.bind(driver);
  const kept = driver.kept?.bind(driver);
  driver.act = async (action) => {
    const at = step();
    tap.acted(at, action);
    const seen = await act(action);
    tap.answered(at, seen);
    return seen;
  };
  if (logged)
    driver.logged = () => {
      const texts = logged();
      tap.hidden(step(), 'log', texts.join('\n'));
      return texts;
    };
  if (kept)
    driver.kept = async () => {
      const texts = await kept();
      tap.hidden(step(), 'storage', texts.join('\n'));
      return texts;
    };
  return driver;
}
