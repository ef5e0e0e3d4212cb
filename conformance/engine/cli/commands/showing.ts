import type { Entry } from '../../journal/entry.ts';
import type { Recorder } from '../../journal/recorder.ts';
import { isShown } from '../../report/terminal/progress.ts';
import { clock } from './common.ts';

/**
 * Delay (ms) before an entry of the journal is shown. An answer may contain a secret that the kit only learns
 * from a later message. After this time it has learned the secret, and masks it.
 */
const SHOW_DELAY_MS = 200;

/** Calls `show` with each new entry of the progress, masked and in order, after the delay. */
export function showLater(recorder: Recorder, show: (entry: Entry) => void): { end: () => void } {
  const waiting: Entry[] = [];
  const flush = () => {
    for (const entry of waiting.splice(0)) show(recorder.mask(entry));
  };
  let cancel: () => void = () => undefined;
  const forget = recorder.onEntry((entry) => {
    if (isShown(entry) && waiting.push(entry) === 1) cancel = clock.after(SHOW_DELAY_MS, flush);
  });
  return {
    /** Shows the rest at once. */
    end() {
      forget();
      cancel();
      flush();
    },
  };
}
