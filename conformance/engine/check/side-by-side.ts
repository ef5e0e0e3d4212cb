/** Distributes items to workers; each takes the next item when it is done with one. */

/**
 * Handles all items, also after errors.
 * @returns the errors, in order
 */
export async function sideBySide<Item, Worker>(
  items: readonly Item[],
  workers: readonly Worker[],
  work: (item: Item, worker: Worker) => Promise<void>,
): Promise<unknown[]> {
  const waiting = [...items];
  const troubles: unknown[] = [];
  const goOn = async (worker: Worker) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item, worker).catch((error: unknown) => troubles.push(error));
  };
  await Promise.all(workers.map(goOn));
  return troubles;
}
