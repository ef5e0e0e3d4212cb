/**
 * Lets each worker take the next item when it is done with one. An error does not stop the others.
 * @param work handles one item; a worker never has two at a time
 * @returns the errors of all items, in the order in which they occurred
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
