/** The control port of a server in the same page: what it holds, its clock, its snapshots, by functions. */
import type { ControlPort } from '#console/server/control-port.ts';
import type { MovableClock } from '#protocol/time/clock.ts';

export type ControlledParts = {
  clock: MovableClock;
  lists: Readonly<Record<string, () => unknown>>;
  /** Keeps all rows. The returned function puts them back. */
  keep: () => unknown;
  clear: () => unknown;
};

type Restore = () => unknown;

export function memoryControl({ clock, lists, keep, clear }: ControlledParts): ControlPort {
  const kept = new Map<number, Restore>();
  let taken = 0;
  const gets: Readonly<Record<string, () => unknown>> = { ...lists, '/clock': () => ({ now: clock.now() }) };

  async function post(path: string, body: unknown): Promise<unknown> {
    if (path === '/clock') clock.advance((body as { advance: number }).advance);
    else if (path === '/clear') await clear();
    else if (path === '/snapshots') kept.set(++taken, (await keep()) as Restore);
    else await kept.get(idIn(path))?.();
    return { id: taken, now: clock.now() };
  }

  return {
    get: async <T>(path: string) => (await gets[path]?.()) as T,
    post: async <T>(path: string, body?: unknown) => (await post(path, body)) as T,
    delete: async (path) => kept.delete(idIn(path)),
  };
}

/** The number of the snapshot in `/snapshots/ID` and `/snapshots/ID/restore`. */
function idIn(path: string): number {
  return Number(path.split('/')[2]);
}
