/** Times the two kinds of calls of a pair, interleaved at random, so that whatever drifts meets both alike. */
import type { Random } from '#protocol/random.ts';
import type { Case, Kind } from './cases.ts';
import type { Instrument } from './instruments.ts';
import type { Sample } from './statistics.ts';

export type MeasureOptions = {
  instrument: Instrument;
  pair: Pick<Case, 'kinds' | 'method'>;
  /** How many calls are timed, both kinds together. */
  calls: number;
  random: Random;
  /** The time in nanoseconds since some moment. */
  stopwatch: () => number;
  onProgress?: (done: number) => void;
  signal?: AbortSignal | undefined;
};

const WARM_UP = 4_000;
/** After so many calls whatever else waits is let in: signals, the garbage of sockets. */
const TURN = 500;

/**
 * @returns the times of the first and of the second kind, in nanoseconds
 * @throws Error when the replies themselves tell the two apart, or the signal fires
 */
export async function measure(options: MeasureOptions): Promise<[Sample, Sample]> {
  const { instrument, pair, calls, random, stopwatch, onProgress, signal } = options;
  await checkReplies(options);
  const draw = drawer(random);
  const pick = (side: number) => {
    const { texts } = pair.kinds[side] as Kind;
    return instrument.prepare(texts[draw() % texts.length] as string);
  };
  for (let i = 0; i < Math.min(WARM_UP, calls); i++) await pick(draw() & 1)();
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < calls; i++) {
    const side = draw() & 1;
    const send = pick(side);
    const start = stopwatch();
    await send();
    const end = stopwatch();
    (times[side] as number[]).push(end - start);
    if (i % TURN === TURN - 1) {
      signal?.throwIfAborted();
      onProgress?.(i + 1);
      await new Promise(setImmediate);
    }
  }
  return [Float64Array.from(times[0]), Float64Array.from(times[1])];
}

/** Every variant of both kinds is refused in the same words: there is nothing but time to tell them apart. */
async function checkReplies({ instrument, pair: { kinds, method } }: MeasureOptions): Promise<void> {
  const replies = new Set<string>();
  for (const text of kinds.flatMap(({ texts }) => texts)) replies.add(await instrument.prepare(text)());
  const [reply = ''] = replies;
  if (replies.size > 1 || !reply.includes('"not_authorized"')) {
    throw new Error(`The replies to ${method} differ, or are no refusals: ${[...replies].join(' and ')}`);
  }
}

/** Random numbers below 65,536, made in advance by the thousand. */
function drawer(random: Random): () => number {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  return () => {
    if (at >= bytes.length) {
      bytes = random(8_192);
      at = 0;
    }
    at += 2;
    return ((bytes[at - 2] as number) << 8) | (bytes[at - 1] as number);
  };
}
