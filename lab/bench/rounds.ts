/**
 * Interleaving: every round measures every contender for a short slice, so that a machine that slows down
 * slows all of them.
 */

/** Goes through `items` once each round, forwards and backwards in turn, so that none is always first. */
export async function interleave<Item>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const item of round % 2 === 0 ? items : items.toReversed()) await measure(item, round);
  }
}
