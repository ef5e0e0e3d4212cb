import type { Entry } from '../../journal/entry.ts';
import type { Recorder } from '../../journal/recorder.ts';
import { clock } from './common.ts';

/**
 * Delay (ms) before an entry of the journal is shown. An answer may contain a secret that the kit only learns
 * from a later message. After this time it has learned the secret, and masks it.
 */
const SHOW_DELAY_MS = 200;

/** Kinds of entries that say nothing of the progress. Masking them would take a tenth of a run. */
const NOT_SHOWN: readonly Entry['kind'][] = ['exchange', 'outcome', 'observation', 'code', 'silence'];

/** Calls `show` with each new entry of the other kinds, masked and in order, after the delay. */
export function showLater(recorder: Recorder, show: (entry: Entry) => void): { end: () => void } {
  const waiting: Entry[] = [];
  const flush = () => {
    for (const entry of waiting.splice(0)) show(recorder.mask(entry));
  };
  let cancel: () => void = () => undefined;
  const forget = recorder.onEntry((entry) => {
    if (NOT_SHOWN.includes(entry.kind)) return;
    if (waiting.push(entry) === 1) cancel = clock.after(SHOW_DELAY_MS, flush);
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
