/**
 * The process of the load generator. It takes jobs from the bench over its channel, one after another, and
 * ends with it.
 */
import type { LoadAnswer, LoadJob } from './messages.ts';
import { runLoad } from './run-load.ts';

process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

function answer(message: LoadAnswer): void {
  process.send?.(message);
}
