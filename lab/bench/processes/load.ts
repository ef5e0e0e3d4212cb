/** The load generator from the bench's side: jobs in, results out. */
import { once } from 'node:events';
import type { LoadAnswer, LoadJob, LoadResult } from '../load/messages.ts';
import type { Bundles } from './bundle.ts';
import { endChild, startChild } from './children.ts';
import { seated } from './pin.ts';

export type Load = {
  /** @throws Error with the first reply that was not a success */
  run(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
};

export function startLoad(bundles: Bundles): Load {
  const child = startChild(seated('load', [bundles('load')]), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('Failed to measure: the load generator ended.');
  });
  ended.catch(() => undefined);
  return {
    async run(job) {
      const answered = once(child, 'message');
      child.send(job);
      const [answer] = (await Promise.race([answered, ended])) as [LoadAnswer];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.result;
    },
    stop: () => endChild(child),
  };
}
