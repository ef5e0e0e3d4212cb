/** Tells a server that waits from one that works: the former can serve more people at once. */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';

/** Only answers slower than this (ms) make it worthwhile to run more scenarios at once. */
const MIN_SLOW_ANSWER_MS = 300;

/** Above this ratio of the median to the shortest answer, the server is busy. */
const MAX_MEDIAN_RATIO = 1.5;

/** Measures answer times. Returns a function that classifies the server by those so far. */
export function watchPace(recorder: Pick<Recorder, 'onEntry'>): () => 'quick or busy' | 'waits' {
  const durations: number[] = [];
  recorder.onEntry((entry: Entry) => {
    if (entry.kind === 'exchange' && entry.link === 'client->auth' && entry.response)
      durations.push(entry.endedAt - entry.at);
  });
  return () => {
    durations.sort((a, b) => a - b);
    const [shortest = 0] = durations;
    const middle = durations[Math.floor(durations.length / 2)] ?? 0;
    return shortest >= MIN_SLOW_ANSWER_MS && middle <= shortest * MAX_MEDIAN_RATIO
      ? 'waits'
      : 'quick or busy';
  };
}
