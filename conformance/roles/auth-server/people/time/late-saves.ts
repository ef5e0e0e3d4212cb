/** Finds saves of sessions that a server sends after it has answered its client, and waits for them. */
import type { Entry, ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { Recorder } from '../../../../engine/journal/recorder.ts';
import { SAVE_AUTH_INFO } from '../../internal-calls.ts';

/** Limits the first wait (ms) for a late save. */
export const FIRST_LATE_SAVE_MS = 3_000;
const LATE_SAVE_MS = 1_000;
/** The pause (ms) between two looks. */
export const LOOK_AGAIN_MS = 25;

export const isSessionSave = (entry: Entry): entry is ExchangeEntry =>
  entry.kind === 'exchange' && entry.link === 'auth->ehr' && entry.facts.call?.method === SAVE_AUTH_INFO;

export function watchSaves(recorder: Recorder, sleep: (ms: number) => Promise<void>) {
  const bodies: string[] = [];
  const forget = recorder.onEntry((entry) => {
    if (isSessionSave(entry)) bodies.push(entry.request.body);
  });
  return async (token: string | undefined): Promise<void> => {
    for (let waited = 0; token !== undefined && waited < LATE_SAVE_MS; waited += LOOK_AGAIN_MS) {
      if (bodies.some((body) => body.includes(token))) break;
      await sleep(LOOK_AGAIN_MS);
    }
    forget();
  };
}
