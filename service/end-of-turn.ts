/** Work that is put off to the end of the event-loop turn and then done in one go. */

let queue: (() => void)[] = [];

/**
 * Does `work` after what this turn still brings, right behind other work of the turn. Replies go this way: a caller that
 * sleeps is woken by a reply, which takes the sender longer than the reply itself, and one that is awake from the reply
 * before it need not be woken.
 */
export function atEndOfTurn(work: () => void): void {
  if (queue.push(work) === 1) setImmediate(doAll);
}

function doAll(): void {
  const works = queue;
  queue = [];
  for (const work of works) work();
}
