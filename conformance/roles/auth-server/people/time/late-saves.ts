/** Waits for sessions that a server saves at the EHR server after it has answered its client. */
import type { Entry, ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { Recorder } from '../../../../engine/journal/recorder.ts';
import { SAVE_AUTH_INFO } from '../../internal-calls.ts';
import type { User } from '../users.ts';
import type { ServerClock } from './server-clock.ts';

/** Limits the wait (ms) by which the run learns whether the server saves late. */
const FIRST_LATE_SAVE_MS = 3_000;
/** Limits each wait (ms) after that. */
const LATE_SAVE_MS = 1_000;
/** The pause (ms) between two looks. */
const LOOK_AGAIN_MS = 25;

type LateSavesParts = { recorder: Recorder; time: ServerClock; found: { savesLate?: boolean } };

const isSessionSave = (entry: Entry): entry is ExchangeEntry =>
  entry.kind === 'exchange' && entry.link === 'auth->ehr' && entry.facts.call?.method === SAVE_AUTH_INFO;

export class LateSaves {
  readonly #parts: LateSavesParts;

  constructor(parts: LateSavesParts) {
    this.#parts = parts;
  }

  get areSeen(): boolean {
    return this.#parts.found.savesLate === true;
  }

  /** Waits until the user's session was saved; if that is late, the run waits for saves from then on. */
  async untilSaved({ token = '' }: User): Promise<void> {
    const { recorder, time, found } = this.#parts;
    const isOwn = (entry: Entry) =>
      isSessionSave(entry) && entry.facts.reply?.result === true && entry.request.body.includes(token);
    for (let waited = 0; waited < FIRST_LATE_SAVE_MS; waited += LOOK_AGAIN_MS) {
      if (recorder.has(isOwn)) {
        found.savesLate ||= waited > 0;
        return;
      }
      await time.sleep(LOOK_AGAIN_MS);
    }
  }

  /** Watches from before a step. Returns a function that waits for the save of a session after it. */
  watch(): (token: string | undefined) => Promise<void> {
    const bodies: string[] = [];
    const { recorder, time } = this.#parts;
    const forget = recorder.onEntry((entry) => {
      if (isSessionSave(entry)) bodies.push(entry.request.body);
    });
    return async (token) => {
      for (let waited = 0; token !== undefined && waited < LATE_SAVE_MS; waited += LOOK_AGAIN_MS) {
        if (bodies.some((body) => body.includes(token))) break;
        await time.sleep(LOOK_AGAIN_MS);
      }
      forget();
    };
  }
}
