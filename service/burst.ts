/** Work that is put off to the end of the event-loop turn and then done in one go. */

export type Burst = (work: () => void) => void;

/**
 * A queue of its own. Replies go through one: a caller that sleeps is woken by a reply, which takes the sender longer
 * than the reply itself, and one that is awake from the reply before it need not be woken.
 */
export function createBurst(): Burst {
  let queue: (() => void)[] = [];
  const run = () => {
    const works = queue;
    queue = [];
    for (const work of works) work();
  };
  return (work) => {
    if (queue.push(work) === 1) setImmediate(run);
  };
}
