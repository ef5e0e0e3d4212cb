/** Draws defects by a seed, for the self-tests that are too long for all of them, and plays them safely. */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { isNamed } from '../catalogue.ts';

/** Which defects are drawn. */
export type Drawing = {
  /** Decides which defects are drawn. The runs themselves have a seed of their own. */
  drawSeed: number;
  /** How many defects are drawn. */
  sample: number;
  /** Leaves only drawn defects whose id contains one of these texts, which commas separate. */
  only?: string | undefined;
};

/** Tells a row, its number and how many there will be. */
export type OnRow<Row> = { onRow?: (row: Row, done: number, total: number) => void };

/** Draws defects: equal seeds draw equal ones, for every kind of self-test. */
export function drawnDefects<D extends { readonly id: string }>(
  defects: readonly D[],
  { drawSeed, sample, only }: Drawing,
): D[] {
  return drawn(defects, sample, seededRandom(drawSeed)).filter(({ id }) => isNamed(only, id));
}

/** Draws defects by the seed, and returns a row for each, which is told as soon as it is there. */
export async function drawnRows<D extends { readonly id: string }, Row>(
  defects: readonly D[],
  { onRow, ...drawing }: Drawing & OnRow<Row>,
  rowOf: (defect: D) => Promise<Row>,
): Promise<Row[]> {
  const chosen = drawnDefects(defects, drawing);
  const rows: Row[] = [];
  for (const defect of chosen) {
    const row = await rowOf(defect);
    rows.push(row);
    onRow?.(row, rows.length, chosen.length);
  }
  return rows;
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
 * Plays without ending this process by an error that nothing handles. The party under test runs in this
 * process, and its defect may throw such an error: then a call has no answer, and the checks see that.
 */
export async function withoutCrash<T>(play: () => Promise<T>): Promise<T> {
  const ignore = () => undefined;
  const events = ['uncaughtException', 'unhandledRejection'];
  for (const event of events) process.on(event, ignore);
  try {
    return await play();
  } finally {
    for (const event of events) process.off(event, ignore);
  }
}
