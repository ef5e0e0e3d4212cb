/**
 * Drives a client by a person at a terminal: tells the person what to do, and goes on when the client's calls
 * show the effect or the person answers.
 */
import type { Clock } from '#protocol/time/clock.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { type Action, type ClientDriver, DriverFailure, inTurns, type Seen } from '../driver.ts';
import { screenAfter } from './effect.ts';
import { KEY_WORDS, seenBy, sentenceFor } from './words.ts';

/** The terminal at which the person reads and answers. */
export type Terminal = {
  write(text: string): void;
  /** Calls back with each line, and with undefined at the end of input. Returns how to stop. */
  onLine(listener: (line: string | undefined) => void): () => void;
};

export type PersonDriverParts = {
  terminal: Terminal;
  clock: Clock;
  /** How long (ms) the person may take for one step. */
  personMs: number;
  /** Calls back with each exchange of the client when it has ended. Returns how to stop. */
  onCall(listener: (call: ExchangeEntry) => void): () => void;
  /** Aborts the run. */
  signal: AbortSignal;
};

/** No call for this long (ms): the client has done what the person started. */
const SETTLE_MS = 1_000;
/** Nobody reads and answers a sentence within this time (ms): such a line was meant for the turn before. */
const MIN_ANSWER_MS = 300;

/** Makes a driver that asks the person for each action, one after the other. */
export function personDriver(parts: PersonDriverParts): ClientDriver {
  let before: Promise<unknown> = Promise.resolve();
  const perform = (action: Action, isTwice: boolean) => {
    const twice = isTwice ? ' Do it twice, as fast as you can.' : '';
    return askPerson(parts, `${sentenceFor(action)}${twice}`);
  };
  const act = inTurns(perform, () => before);
  return {
    act(action) {
      const seen = act(action);
      before = seen.catch(() => undefined);
      return seen;
    },
    leave: () => confirm(parts, 'Close the client, as when you leave it for today.'),
    // Nothing is ended here: the person closes the client when the next scenario begins.
    kill: async () => undefined,
  };
}

/** Asks for something that has no screen of its own. Any line is an answer. */
export async function confirm(parts: PersonDriverParts, sentence: string): Promise<void> {
  await turnOf<true>(parts, sentence, 'Press Enter when that is done.', () => true);
}

/** Lets the person do something, and returns what they see by the wire or by their answer. */
function askPerson(parts: PersonDriverParts, sentence: string): Promise<Seen> {
  return turnOf<Seen>(parts, sentence, KEY_WORDS, seenBy, (calls) => {
    const sees = screenAfter(calls);
    if (sees === undefined) return undefined;
    const shown = sees === 'patient' && { patient: 'shown to the person' };
    return { sees, text: 'The kit saw on the wire that it worked.', ...shown };
  });
}

const NOBODY_THERE = 'nobody is at the terminal: the standard input has ended';

/** One turn of the person: ends by a line that is understood, or by calls that leave no doubt. */
function turnOf<T>(
  { terminal, clock, personMs, onCall, signal }: PersonDriverParts,
  sentence: string,
  how: string,
  read: (line: string) => T | undefined,
  conclude: (calls: readonly ExchangeEntry[]) => T | undefined = () => undefined,
): Promise<T> {
  terminal.write(`\n>> YOUR TURN: ${sentence}\n   ${how}\n`);
  const begun = clock.now();
  const calls: ExchangeEntry[] = [];
  let cancelSettling = () => undefined as unknown;
  const stops: (() => void)[] = [() => cancelSettling()];
  const asked = new Promise<T>((resolve, reject) => {
    const fail = (what: DriverFailure['what'], message: string) =>
      reject(new DriverFailure(message, { what }));
    const take = (found: T | undefined, otherwise: string) =>
      found === undefined ? terminal.write(`>> YOUR TURN: ${otherwise}\n`) : resolve(found);
    const settle = () => take(conclude(calls), 'What do you see now?');
    const onLine = (line: string | undefined) => {
      if (line === undefined) return fail('unreachable', NOBODY_THERE);
      const found = clock.now() - begun < MIN_ANSWER_MS ? undefined : read(line);
      return take(found, `That was not understood: ${sentence}\n   ${how}`);
    };
    const onAbort = () => reject(signal.reason);
    stops.push(
      onCall((call) => {
        calls.push(call);
        terminal.write(`   ... waiting: ${call.facts.call?.method ?? 'a message'} has arrived\n`);
        cancelSettling();
        cancelSettling = clock.after(SETTLE_MS, settle);
      }),
      terminal.onLine(onLine),
      clock.after(personMs, () => fail('timeout', `nobody answered within ${personMs} ms`)),
      () => signal.removeEventListener('abort', onAbort),
    );
    signal.addEventListener('abort', onAbort);
  });
  return asked.finally(() => {
    for (const stop of stops) stop();
  });
}
