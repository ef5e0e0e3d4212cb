/** The load generator as a process: takes jobs over its channel to the bench, one after the other, and ends with it. */
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
