/**
 * Plays the scenarios of the kit against the reference EHR server, or a defective variant of it, in this
 * process. The self-test judges these runs.
 */
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { GENDERS } from '#protocol/wire/matching.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { ehrScenarios } from '../flows/index.ts';
import { type EhrRun, openEhrRun } from '../run.ts';
import { ehrFileSchema, type LoadedEhrFile } from '../settings.ts';
import { type EhrChange, INACTIVE, INTERNAL, ORIGIN, type ServedEhr, serveEhr } from './serve.ts';

/** The patients of the self-test's file, in the form of its key `people`. */
export const PEOPLE = {
  matching: [
    { name: 'Anna', surname: 'Petrova', date: '1985-04-12', phone: '79990000001', gender: GENDERS.female },
    { name: 'Ivan', surname: 'Sidorov', date: '2000-02-29', phone: '79990000002', gender: GENDERS.male },
    { name: 'Oleg', surname: 'Sidorov', date: '2000-02-29', phone: '79990000002', gender: GENDERS.male },
    { name: 'Пётр', surname: 'Алёшин', date: '1979-12-31', phone: '79990000005', gender: GENDERS.male },
    { name: 'Rufus', surname: 'Shields', date: '1945-08-15', phone: '8065931458', medCardId: '123456' },
    { name: 'Борис', surname: 'Орлов', date: '1991-07-20', phone: '79990000008' },
  ],
  ambiguous: { name: 'Maria', surname: 'Ivanova', date: '1990-01-01', phone: '79990000004' },
  inactive: INACTIVE,
};

/** How a variant is played. */
export type PlayOptions = {
  /** The clock of the kit; the system's unless given. */
  clock?: Clock;
  /** 1 unless given. */
  seed?: number;
  signal?: AbortSignal;
  /** Ids of the scenarios to play; all unless given. */
  scenarios?: readonly string[];
};

/** Serves the reference server with a change, plays the scenarios against it, and returns the run. */
export function playEhr(change: EhrChange, options: PlayOptions = {}): Promise<Run> {
  const { scenarios } = options;
  return onServed(change, options, async (run) => {
    await run.playAll(ehrScenarios.filter(({ id }) => scenarios?.includes(id) ?? true));
    const entries = run.recorder.entries();
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries };
  });
}

/** Opens a run against the reference server with a change. Closes both when `act` has ended. */
export async function onServed<T>(
  change: EhrChange,
  options: PlayOptions,
  act: (run: EhrRun) => Promise<T>,
): Promise<T> {
  const served = await serveEhr(change);
  const run = await openFor(fileFor(served, change.settings), served, options);
  try {
    return await act(run);
  } finally {
    await run.close();
    await served.close();
  }
}

/** Opens a run against the variant. The clock and the restart are calls in this process, not requests. */
function openFor(loaded: LoadedEhrFile, served: ServedEhr, options: PlayOptions): Promise<EhrRun> {
  const { clock = systemClock, seed = 1, signal = new AbortController().signal } = options;
  const control = {
    advance: async (ms: number) => served.advance(ms),
    restart: async () => served.restart(),
    output: served.output,
  };
  return openEhrRun({ loaded, clock, seed, random: systemRandom, env: {}, signal, slow: false, control });
}

/** Makes what a file about the variant would be read to. `changes` replaces keys of the file. */
function fileFor({ url, internalUrl }: ServedEhr, changes: EhrChange['settings'] = {}): LoadedEhrFile {
  const data = {
    name: 'The reference EHR server',
    server: { url },
    internalUrl,
    internal: { ...INTERNAL, insecureLiteral: true },
    origin: ORIGIN,
    people: PEOPLE,
    ...changes,
  };
  const settings = ehrFileSchema(() => undefined).parse(data);
  return { file: 'self-test', settings, secrets: [settings.internal.password] };
}
