/** Ends a program whose parent dies: npm passes a request to end to its shell, which does not pass it on. */

const POLL_INTERVAL_MS = 100;

/** From now on, treats the death of the parent process like SIGTERM. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS).unref();
}
