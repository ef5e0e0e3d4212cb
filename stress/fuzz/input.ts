/** What is sent to a party, as data: a file of it can be sent again. */
import type { Step } from '#e2e/state-model.ts';

/** Bytes, one character each, as `latin1` has them: readable where they are text. */
export type Bytes = string;

/** Bytes to a socket, split into writes at `cuts`. */
export type RawInput = {
  level: 'raw';
  bytes: Bytes;
  cuts: number[];
  /** Afterwards the connection is left open until nothing comes any more, closed for writing at once, or broken off. */
  ending: 'wait' | 'end' | 'cut';
};

/** The body of one HTTP request. */
export type RpcInput = { level: 'rpc'; body: Bytes };

/** A step of the state model, or a body that must be refused wherever it stands. */
export type FuzzStep = Step | { kind: 'broken'; body: Bytes };
export type SequenceInput = { level: 'sequence'; steps: FuzzStep[] };

export type Input = RawInput | RpcInput | SequenceInput;
export type Level = Input['level'];

/** UTF-8 as bytes; an unpaired surrogate is written as if it were a character, which no UTF-8 may have. */
export function bytesOf(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text that a server reads from a body; empty where it cannot be read, which is refused alike. */
export function textOf(bytes: Bytes): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    // No UTF-8: to be refused as parse_error, as no text at all is.
    return '';
  }
}
