/** A person reads the code, on a phone or in a log, and types it in. */
import { type Clock, deadline } from '#protocol/time/clock.ts';
import { phoneOf } from './find-code.ts';
import type { Ask, OtpSource } from './source.ts';

/** Gives a person `personMs` to answer; an empty answer means that no code came. */
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
