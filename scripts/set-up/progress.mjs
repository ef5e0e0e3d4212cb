/** Shows on standard error what is in progress and for how long. Needs nothing installed. */

const TERMINAL_INTERVAL_MS = 200;
/** Interval (ms) of lines without a terminal. Each is a separate line, so there are few. */
const LINE_INTERVAL_MS = 15_000;

/** Shows a step in progress with its seconds; a step shorter than `quietFor` milliseconds is not shown. */
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
    note(text) {
      if (text === note) return;
      note = text;
      show();
    },
    done: () => end(shown || quietFor === 0 ? `${title}: done in ${seconds()}` : undefined),
    failed: () => end(`${title}: failed after ${seconds()}`),
    clear: () => end(undefined),
  };
}
