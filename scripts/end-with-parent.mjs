/** For a program whose parent may die without a word to it: npm passes a request to end on to its shell, and the shell keeps it to itself. */

const EVERY = 100;

/** From now on, the death of the parent process is the same to this one as SIGTERM. */
export function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, EVERY).unref();
}
