/** Says on standard error what is going on and for how long, so that nothing slow looks as if it hung. Needs nothing installed. */

const TERMINAL_EVERY = 200;
/** Without a terminal each tick is a line of its own, so there are few. */
const LINE_EVERY = 15_000;

/**
 * Shows a step that is under way, with its seconds; on a terminal in one line that is written over.
 * @param {string} title such as `Installing dependencies`
 * @param {{ stream?: { isTTY?: boolean, write(text: string): unknown }, quietFor?: number }} [options] `quietFor`: a
 *   step shorter than this many milliseconds leaves no trace
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
  const timer = setInterval(show, stream.isTTY ? TERMINAL_EVERY : LINE_EVERY);
  const end = (text) => {
    clearInterval(timer);
    if (stream.isTTY && shown) stream.write('\r\x1b[2K');
    if (text !== undefined) stream.write(`${text}\n`);
  };
  return {
    /** Adds what exactly is going on. */
    note(text) {
      if (text === note) return;
      note = text;
      show();
    },
    done: () => end(shown || quietFor === 0 ? `${title}: done in ${seconds()}` : undefined),
    failed: () => end(`${title}: failed after ${seconds()}`),
    /** Ends it without a word. */
    clear: () => end(undefined),
  };
}
