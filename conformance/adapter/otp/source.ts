/** How a one-time code is learned: one interface, and the source that an adapter file chooses. */
import type { Clock } from '#protocol/clock.ts';
import type { RawExchange } from '../../journal/observe.ts';
import type { AdapterSettings } from '../schema.ts';
import { askSource } from './ask.ts';
import { fixedSource } from './fixed.ts';
import { outboxSource } from './outbox.ts';
import { openSink } from './sink.ts';

export type OtpSource = {
  /** Base URL to which the server under test sends its messages, when the kit takes them; without a trailing slash. */
  readonly smsUrl: string | undefined;
  /** The newest code that came to `phone` after the `since`-th message to it, waiting up to `waitMs`; undefined when none came. */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  /** How many messages have come to `phone` so far. */
  messagesTo(phone: string): Promise<number>;
  /** Whether every message that is sent is seen here. */
  readonly countsMessages: boolean;
  /** What stood in the way of learning a code, last time that something did: for the doctor, in one sentence. */
  trouble(): string | undefined;
  close(): Promise<void>;
};

/** Asks a person; undefined when they have no answer. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

export type OtpParts = {
  clock: Clock;
  /** The platform's own unless given. */
  fetch?: typeof fetch;
  ask: Ask;
  /** In place of the port in the file, where a tap has that one. */
  sinkPort?: number;
  /** Is told a request to the sink that nobody of the run sent. */
  onStray?: (raw: RawExchange) => void;
};

/**
 * Opens the source of codes of an adapter file whose ports are filled in.
 * @throws Error naming the port and the remedy when the sink cannot listen
 */
export async function openOtpSource(
  settings: AdapterSettings,
  { clock, fetch = globalThis.fetch, ask, sinkPort, onStray }: OtpParts,
): Promise<OtpSource> {
  const { otp, timeouts, server } = settings;
  if (otp?.sink) return openSink({ ...otp.sink, port: sinkPort ?? otp.sink.port }, clock, onStray);
  if (otp?.outbox) return outboxSource(otp.outbox, { clock, fetch, baseUrl: server.url });
  if (otp?.fixed) return fixedSource(otp.fixed.code);
  if (otp?.ask) return askSource(ask, clock, timeouts.personMs);
  return noSource;
}

/** For a server that sends no codes. */
const noSource: OtpSource = {
  smsUrl: undefined,
  codeFor: async () => undefined,
  messagesTo: async () => 0,
  countsMessages: false,
  trouble: () => undefined,
  close: async () => undefined,
};
