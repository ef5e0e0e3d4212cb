/**
 * Lets a program outlive the reader of its output (`| head -1`): it runs on, writes its reports, and ends
 * with the exit code of its result. Node's own answer is a stack and exit code 1, which would read as a
 * verdict. Needs nothing installed.
 */

/** The reader closed its end, or the terminal is gone. */
const READER_GONE = ['EPIPE', 'EIO', 'ECONNRESET'];

let isTold = false;

/** From now on, ignores that nobody reads, and tells once when the output is lost for another reason. */
export function outliveReader() {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }) => {
      if (READER_GONE.includes(code) || isTold) return;
      isTold = true;
      process.stderr.write(`Failed to write the output: ${message}.\n`);
    });
}
