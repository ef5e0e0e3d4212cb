/** Shows the progress of a step that takes longer than two seconds. A shorter step shows nothing. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Output } from './output.ts';

/** A step shows nothing before this time. */
const QUIET_MS = 1_500;
const TERMINAL_INTERVAL_MS = 250;
/** Without a terminal every update is a new line, so there are few. */
const LINE_INTERVAL_MS = 10_000;

export type Shown = {
  /** Note how far the step is, such as `40 %`. */
  note(text: string): void;
  stop(): void;
};

/** Show a step under way, with its seconds, until it is stopped. */
export function showProgress(title: string, out: Output, clock: Clock): Shown {
  const begun = clock.now();
  let note = '';
  let shown = false;
  const show = () => {
    shown = true;
    const line = `${title} … ${note === '' ? '' : `${note}, `}${Math.round((clock.now() - begun) / 1_000)} s`;
    out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    cancel = clock.after(out.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS, show);
  };
  let cancel = clock.after(QUIET_MS, show);
  return {
    note(text) {
      note = text;
    },
    stop() {
      cancel();
      if (shown && out.isTTY) out.write('\r\x1b[2K');
    },
  };
}
