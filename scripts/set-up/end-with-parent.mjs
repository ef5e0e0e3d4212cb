/** Ends a program whose parent dies: npm passes a request to end to its shell, which does not pass it on. */

const POLL_INTERVAL_MS = 100;

/** From now on, treats the death of the parent process like one SIGTERM: a second one may mean "at once". */
export function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_INTERVAL_MS).unref();
}
