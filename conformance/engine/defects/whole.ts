/** Plays whole runs against parties with one defect, and tells which cause their reports name first. */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { judge } from '../check/judge.ts';
import { type Cause, causesOf } from '../report/causes/causes.ts';
import { type Catalogue, isNamed, type PlayOptions, type Variant } from './catalogue.ts';
import { recorded } from './recorded.ts';

type Defect = { readonly id: string; readonly caughtBy: string };

export type WholeRow = {
  id: string;
  /** The check that must find the defect. */
  check: string;
  /** How many causes the report has. */
  causes: number;
  /** The place of the cause that has this check among its own, counted from 1; 0 when no cause has it. */
  place: number;
  /** The check that leads this cause. */
  leader: string | undefined;
  /** The first cause of the report, with the check that leads it. */
  first: string;
};

export type WholeOptions = PlayOptions & {
  /** Seed of the draw; the runs have the seed of the options. */
  drawSeed: number;
  /** How many defects are drawn. */
  sample: number;
  /** Only drawn defects whose id contains one of these texts, between commas. */
  only?: string | undefined;
  onRow?: (row: WholeRow, done: number, total: number) => void;
};

/** Draws defects by the seed, plays a whole run against each, and returns a row for each. */
export async function wholeRows<V extends Variant>(
  { party, checks, defects, play }: Pick<Catalogue<V>, 'party' | 'checks' | 'defects' | 'play'>,
  { drawSeed, sample, only, onRow, ...options }: WholeOptions,
): Promise<WholeRow[]> {
  const chosen = drawn(defects, sample, seededRandom(drawSeed)).filter(({ id }) => isNamed(only, id));
  const rows: WholeRow[] = [];
  for (const defect of chosen) {
    const run = await recorded(['whole', party, defect.id, options.seed], () =>
      withoutCrash(() => play(defect, options, {})),
    );
    const row = wholeRow(defect, causesOf(judge(run, { checks, party }), run.entries));
    rows.push(row);
    onRow?.(row, rows.length, chosen.length);
  }
  return rows;
}

/** Tells where the cause of a defect stands among the causes of its report. */
export function wholeRow({ id, caughtBy }: Defect, causes: readonly Cause[]): WholeRow {
  const place = causes.findIndex(({ checks }) => checks.includes(caughtBy));
  const [first] = causes;
  return {
    id,
    check: caughtBy,
    causes: causes.length,
    place: place + 1,
    leader: causes[place]?.checks[0],
    first: first ? `${first.checks[0]}: ${first.cause}` : 'nothing is red',
  };
}

/** Returns `count` of them, in the order in which they were drawn. */
export function drawn<T>(all: readonly T[], count: number, random: Random): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const place = Buffer.from(random(6)).readUIntBE(0, 6) % left.length;
    return left.splice(place, 1)[0] as T;
  });
}

/** An error that nobody handles leaves a call without an answer: the server runs in this process. */
async function withoutCrash<T>(play: () => Promise<T>): Promise<T> {
  const ignore = () => undefined;
  const events = ['uncaughtException', 'unhandledRejection'];
  for (const event of events) process.on(event, ignore);
  try {
    return await play();
  } finally {
    for (const event of events) process.off(event, ignore);
  }
}
