/** Lets a program outlive the reader of its output (`| head -1`) and end with the exit code of its result. */

/** The reader closed its end, or the terminal is gone. */
const READER_GONE = ['EPIPE', 'EIO', 'ECONNRESET'];

let isTold = false;

export function outliveReader() {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }) => {
      if (READER_GONE.includes(code) || isTold) return;
      isTold = true;
      process.stderr.write(`Failed to write the output: ${message}.\n`);
    });
}
