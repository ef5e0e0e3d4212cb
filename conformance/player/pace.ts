/** Whether the server under test waits or works while it answers: one that merely waits can be asked by more people at once. */
import type { Entry } from '../journal/entry.ts';
import type { Recorder } from '../journal/recorder.ts';

/** Answers that take longer than this, in milliseconds, are worth being waited for side by side. */
const MIN_SLOW_MS = 300;

/** One that works takes longer the more people ask; by more than this it is busy. */
const MAX_LONGER = 1.5;

/** Watches how long answers take. Returns what those so far say. */
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
    return shortest >= MIN_SLOW_MS && middle <= shortest * MAX_LONGER ? 'waits' : 'quick or busy';
  };
}
