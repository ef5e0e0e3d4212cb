/** The control port of a server in the same page: what it holds, its clock, by functions. */
import type { ControlPort } from '#console/server/control-port.ts';
import type { MovableClock } from '#protocol/time/clock.ts';

export type ControlledParts = {
  clock: MovableClock;
  /** The lists that the port tells, by their paths. */
  lists: Readonly<Record<string, () => unknown>>;
  clear: () => unknown;
};

export function memoryControl({ clock, lists, clear }: ControlledParts): ControlPort {
  const gets: Readonly<Record<string, () => unknown>> = { ...lists, '/clock': () => ({ now: clock.now() }) };

  async function post(path: string, body: unknown): Promise<unknown> {
    if (path === '/clock') clock.advance((body as { advance: number }).advance);
    else await clear();
    return { now: clock.now() };
  }

  return {
    get: async <T>(path: string) => (await gets[path]?.()) as T,
    post: async <T>(path: string, body?: unknown) => (await post(path, body)) as T,
  };
}
