/**
 * Plays all scenarios against parties with one defect, and tells whether the report names its cause first. A
 * report puts failed checks together that have one cause, and sorts the causes.
 */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { judge } from '../check/judge.ts';
import { type Cause, causesOf } from '../report/causes/causes.ts';
import { type Catalogue, isNamed, type PlayOptions, type Variant } from './catalogue.ts';
import { recorded } from './recorded.ts';

type Defect = { readonly id: string; readonly caughtBy: string };

/** The result of the run against one defect. */
export type WholeRow = {
  id: string;
  /** The check that must find the defect. */
  check: string;
  /** How many causes the report has. */
  causes: number;
  /** The place in the report of the cause that has this check, counted from 1; 0: no cause has it. */
  place: number;
  /** The check that stands first in this cause. */
  leader: string | undefined;
  /** The first cause of the report, after the check that stands first in it. */
  first: string;
};

/** Which defects are played. */
export type WholeOptions = PlayOptions & {
  /** Decides which defects are drawn. The runs themselves use `seed`. */
  drawSeed: number;
  /** How many defects are drawn. */
  sample: number;
  /** Plays only drawn defects whose id contains one of these texts, which commas separate. */
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

/** Draws `count` items without repetition, and returns them in the order in which they were drawn. */
export function drawn<T>(all: readonly T[], count: number, random: Random): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    // Six bytes are the most that readUIntBE reads: the remainder is then close to evenly distributed.
    const place = Buffer.from(random(6)).readUIntBE(0, 6) % left.length;
    return left.splice(place, 1)[0] as T;
  });
}

/**
 * Plays without ending this process by an error that nothing handles. The server under test runs in this
 * process, and its defect may throw such an error: then a call has no answer, and the checks see that.
 */
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
