/** The interface of all sources of one-time codes, and the choice that an adapter file makes. */
import type { Clock } from '#protocol/time/clock.ts';
import type { RawExchange } from '../../../../engine/journal/observe.ts';
import type { AdapterSettings } from '../file/schema.ts';
import { askSource } from './ask.ts';
import { fixedSource } from './fixed.ts';
import { outboxSource } from './outbox.ts';
import { openSink } from './sink.ts';

export type OtpSource = {
  /** Base URL of the kit's SMS sink, without a trailing slash; undefined for other sources. */
  readonly smsUrl: string | undefined;
  /**
   * Returns the newest code sent to `phone` after the first `since` messages. Waits up to `waitMs`; undefined
   * when none came.
   */
  codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined>;
  /** The number of messages sent to `phone` so far. */
  messagesTo(phone: string): Promise<number>;
  /** Whether each look at the messages is a request to an outbox. */
  readonly asksForMessages?: true;
  /** Whether every sent message is counted. */
  readonly countsMessages: boolean;
  /** The last problem with learning a code, in one sentence for the doctor. */
  trouble(): string | undefined;
  /** What else in the last message could be a code, with # for each digit. */
  otherNumbers?(): readonly string[];
  close(): Promise<void>;
};

/** Asks a person; undefined when they have no answer. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

export type OtpParts = {
  clock: Clock;
  /** The platform's own unless given. */
  fetch?: typeof fetch;
  ask: Ask;
  /** Replaces the port in the file, where a recording proxy listens at that one. */
  sinkPort?: number;
  /** Called with a request to the sink that is not part of the run. */
  onStray?: (raw: RawExchange) => void;
};

/**
 * Opens the source of codes of an adapter file whose ports are filled in.
 * @throws Error that names the port and the remedy when the sink cannot listen
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
