/** Opens the source of one-time codes that the section `otp` of the adapter file chooses. */
import { type Clock, deadline } from '#protocol/time/clock.ts';
import type { RawExchange } from '../../../../engine/journal/entry.ts';
import type { OtpSource } from '../adapter.ts';
import type { AdapterSettings } from '../file/schema/schema.ts';
import { phoneOf } from './find-code.ts';
import { outboxSource } from './outbox.ts';
import { openSink } from './sink.ts';

/** Asks a person on the terminal. Resolves to undefined when the terminal has no input any more. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | undefined>;

export type OtpParts = { clock: Clock; ask: Ask; sinkPort?: number; onStray?: (raw: RawExchange) => void };

/** Where the file states a prefix, messages are looked for under the phone with this before it. */
export async function openOtpSource(settings: AdapterSettings, parts: OtpParts): Promise<OtpSource> {
  const source = await openSource(settings, parts);
  const { prefix } = settings.otp ?? {};
  if (prefix === undefined) return source;
  const { codeFor, messagesTo, failFor } = source;
  return {
    ...source,
    codeFor: (phone, ...more) => codeFor(prefix + phone, ...more),
    messagesTo: (phone) => messagesTo(prefix + phone),
    ...(failFor && { failFor: (phone, how) => failFor(prefix + phone, how) }),
  };
}

async function openSource(
  settings: AdapterSettings,
  { clock, ask, sinkPort, onStray }: OtpParts,
): Promise<OtpSource> {
  const { otp, timeouts, server } = settings;
  if (otp?.sink) return openSink({ ...otp.sink, port: sinkPort ?? otp.sink.port }, clock, onStray);
  if (otp?.outbox) return outboxSource(otp.outbox, { clock, baseUrl: server.url });
  if (otp?.ask) return askSource(ask, clock, timeouts.personMs);
  return sourceOf(otp?.fixed?.code);
}

/** Creates the source for a server that accepts one fixed code from everybody, or, undefined, sends none. */
const sourceOf = (code: string | undefined): OtpSource => ({
  smsUrl: undefined,
  codeFor: async () => code,
  messagesTo: async () => 0,
  countsMessages: false,
  trouble: () => undefined,
  close: async () => undefined,
});

/** Asks a person for each code. Codes are kept, because `since` counts them like messages. */
export function askSource(ask: Ask, clock: Clock, personMs: number): OtpSource {
  const answers = new Map<string, string[]>();
  const closed = new AbortController();
  let trouble: string | undefined;
  return {
    smsUrl: undefined,
    async codeFor(phone, since) {
      const given = answers.get(phoneOf(phone)) ?? [];
      if (given.length > since) return given.at(-1);
      const limit = deadline(clock, personMs, new Error('The time is up.'));
      const signal = AbortSignal.any([limit.signal, closed.signal]);
      try {
        const code = (await ask(`Which code came to ${phone}? (Enter alone when none came)`, signal))?.trim();
        trouble = code ? undefined : 'The code was asked for on the terminal, and none was typed in.';
        if (code) answers.set(phoneOf(phone), [...given, code]);
        return code || undefined;
      } catch (error) {
        if (!signal.aborted) throw error;
        trouble = 'The code was asked for on the terminal, and nobody answered in time.';
        return undefined;
      } finally {
        limit.cancel();
      }
    },
    countsMessages: false,
    messagesTo: async (phone) => answers.get(phoneOf(phone))?.length ?? 0,
    trouble: () => trouble,
    close: async () => closed.abort(new Error('The run is over.')),
  };
}
