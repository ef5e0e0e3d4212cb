/**
 * Finds out how fast a server under test answers, and why it is slow. A quick server, and one that waits on
 * purpose before each answer, can serve more scenarios at the same time; a busy one cannot.
 */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';

/** With faster answers than this (ms), a run is short enough without more scenarios at the same time. */
const MIN_SLOW_ANSWER_MS = 300;

/** Up to this ratio of the median to the shortest answer, answers take equally long: the server waits. */
const MAX_MEDIAN_RATIO = 1.5;

/** A server is quick when half of its answers take at most this long (ms). */
const MAX_QUICK_ANSWER_MS = 50;

/** How a server answers: `quick` at once, `waits` on purpose, `busy` anything else. */
export type Pace = 'quick' | 'waits' | 'busy';

/** Measures answer times from now on. Returns a function that classifies the server by the times so far. */
export function watchPace(recorder: Pick<Recorder, 'onEntry'>): () => Pace {
  const durations: number[] = [];
  recorder.onEntry((entry: Entry) => {
    if (entry.kind === 'exchange' && entry.link === 'client->auth' && entry.response)
      durations.push(entry.endedAt - entry.at);
  });
  return () => {
    durations.sort((a, b) => a - b);
    const [shortest = 0] = durations;
    const middle = durations[Math.floor(durations.length / 2)] ?? 0;
    if (shortest >= MIN_SLOW_ANSWER_MS && middle <= shortest * MAX_MEDIAN_RATIO) return 'waits';
    return durations.length > 0 && middle <= MAX_QUICK_ANSWER_MS ? 'quick' : 'busy';
  };
}
