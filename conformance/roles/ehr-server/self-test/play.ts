/** Plays scenarios against the reference EHR server or a variant of it, in this process. */
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { GENDERS } from '#protocol/wire/matching.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { ehrFlows } from '../flows/index.ts';
import { type EhrRun, openEhrRun } from '../run.ts';
import { ehrFileSchema, type LoadedEhrFile } from '../settings.ts';
import { type EhrChange, INACTIVE, INTERNAL, ORIGIN, type ServedEhr, serveEhr } from './serve.ts';

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

export type PlayOptions = {
  clock?: Clock;
  seed?: number;
  signal?: AbortSignal;
  scenarios?: readonly string[];
};

export function playEhr(change: EhrChange, options: PlayOptions = {}): Promise<Run> {
  const { scenarios } = options;
  return onServed(change, options, async (run) => {
    await run.playAll(ehrFlows.filter(({ id }) => scenarios?.includes(id) ?? true));
    const entries = run.recorder.entries();
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries };
  });
}

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

function openFor(loaded: LoadedEhrFile, served: ServedEhr, options: PlayOptions): Promise<EhrRun> {
  const { clock = systemClock, seed = 1, signal = new AbortController().signal } = options;
  const control = {
    advance: async (ms: number) => served.advance(ms),
    restart: async () => served.restart(),
    output: served.output,
  };
  return openEhrRun({ loaded, clock, seed, random: systemRandom, env: {}, signal, slow: false, control });
}

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
