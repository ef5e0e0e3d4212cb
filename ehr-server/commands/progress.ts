/** Says what is going on when it takes longer than two seconds; what is done sooner leaves no trace. */
import type { Clock } from '#protocol/clock.ts';
import type { Output } from './output.ts';

const QUIET_MS = 1_500;
const TERMINAL_INTERVAL_MS = 250;
/** Without a terminal each time is a line of its own, so there are few. */
const LINE_INTERVAL_MS = 10_000;

export type Shown = {
  /** Says how far it is, such as `40 %`. */
  note(text: string): void;
  stop(): void;
};

/** Shows a step that is under way, with its seconds, until it is stopped. */
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
