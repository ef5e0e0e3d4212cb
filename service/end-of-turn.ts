/** Work that is deferred to the end of the event-loop tick and then done at once. */

let queue: (() => void)[] = [];

/**
 * Do `work` at the end of this tick, together with the other work deferred in it. Replies are sent this way.
 * Waking a sleeping caller costs the sender more than the reply itself, and a caller that gets several
 * replies in a row is woken once.
 */
export function atEndOfTurn(work: () => void): void {
  if (queue.push(work) === 1) setImmediate(doAll);
}

function doAll(): void {
  const works = queue;
  queue = [];
  for (const work of works) work();
}
