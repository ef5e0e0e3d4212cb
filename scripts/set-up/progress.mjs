/**
 * Shows on standard error what is in progress and for how long, so that a slow step does not seem to hang.
 * Needs nothing installed.
 */

const TERMINAL_INTERVAL_MS = 200;
/** Interval (ms) of lines without a terminal. Each is a separate line, so there are few. */
const LINE_INTERVAL_MS = 15_000;

/**
 * Shows a step in progress with its seconds. On a terminal the line is overwritten.
 * @param {string} title such as `Installing dependencies`
 * @param {{ stream?: { isTTY?: boolean, write(text: string): unknown }, quietFor?: number }} [options]
 * `quietFor`: a step shorter than this many milliseconds is not shown
 */
export function progress(title, options = {}) {
  const { stream = process.stderr, quietFor = 0 } = options;
  const begun = Date.now();
  let note = '';
  let shown = false;
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const line = () => `${title} … ${seconds()}${note === '' ? '' : ` (${note})`}`;
  const show = () => {
    if (Date.now() - begun < quietFor) return;
    shown = true;
    stream.write(stream.isTTY ? `\r\x1b[2K${line()}` : `${line()}\n`);
  };
  show();
  const timer = setInterval(show, stream.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS);
  const end = (text) => {
    clearInterval(timer);
    if (stream.isTTY && shown) stream.write('\r\x1b[2K');
    if (text !== undefined) stream.write(`${text}\n`);
  };
  return {
    /** Adds details of what is in progress. */
    note(text) {
      if (text === note) return;
      note = text;
      show();
    },
    done: () => end(shown || quietFor === 0 ? `${title}: done in ${seconds()}` : undefined),
    failed: () => end(`${title}: failed after ${seconds()}`),
    /** Ends the step without a line. */
    clear: () => end(undefined),
  };
}
