/** Inputs as data, so that a saved input can be sent again. */
import type { Step } from '#conformance/roles/ehr-server/world/model/state-model.ts';

/** Bytes as a `latin1` string, one character a byte: readable where they are text. */
export type Bytes = string;

/** Bytes for a socket, split into writes at `cuts`. */
export type RawInput = {
  level: 'raw';
  bytes: Bytes;
  cuts: number[];
  /**
   * After the last byte: wait until the server is silent, close the writing side at once, or break the
   * connection.
   */
  ending: 'wait' | 'end' | 'cut';
};

/** The body of one HTTP request. */
export type RpcInput = { level: 'rpc'; body: Bytes };

/** A step of the state model, or a body that the server must refuse in every state. */
export type FuzzStep = Step | { kind: 'broken'; body: Bytes };
export type SequenceInput = { level: 'sequence'; steps: FuzzStep[] };

export type Input = RawInput | RpcInput | SequenceInput;
export type Level = Input['level'];

/** Encodes text as UTF-8. An unpaired surrogate is encoded like a character, which is not valid UTF-8. */
export function bytesOf(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes the body as a server would. Returns an empty text for invalid UTF-8: both are refused alike. */
export function textOf(bytes: Bytes): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    // Invalid UTF-8 must be refused as parse_error, just like an empty text.
    return '';
  }
}
