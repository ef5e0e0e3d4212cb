/** Learns one-time codes from an outbox: an address that answers with the messages that were sent. */
import { type Clock, pause } from '#protocol/time/clock.ts';
import { isNumber, tryJson } from '#protocol/wire/json.ts';
import { buildRequest } from '../../../../engine/party/requests/build-request.ts';
import { valueAt, whyNotJson } from '../../../../engine/party/requests/json.ts';
import { redirectText } from '../../../../engine/party/requests/read-answer.ts';
import { send } from '../../../../engine/party/requests/send.ts';
import type { OtpSource } from '../adapter.ts';
import type { OutboxSettings } from '../file/schema/schema.ts';
import { type FoundCode, findCode, misspelling, noCodeIn, phoneOf } from './find-code.ts';

/** Pause (ms) between two requests to the outbox: far shorter than a message takes, and no burden. */
const POLL_INTERVAL_MS = 200;
/** Limits one request to the outbox (ms). No requirement is about its speed. */
const REQUEST_TIMEOUT_MS = 70_000;

export function outboxSource(
  settings: OutboxSettings,
  { clock, baseUrl }: { clock: Clock; baseUrl: string },
): OtpSource {
  const closed = new AbortController();
  let trouble: string | undefined;
  let otherNumbers: readonly string[] = [];

  async function codesTo(phone: string): Promise<(string | undefined)[]> {
    const request = buildRequest(settings.request, { phone }, baseUrl.replace(/\/+$/, ''));
    const answer = await send(request, { clock, timeoutMs: REQUEST_TIMEOUT_MS, signal: closed.signal });
    const read =
      answer.kind === 'failed' ? answer.detail : readMessages(answer.status, answer.text, phone, settings);
    if (typeof read === 'string') {
      trouble = `The outbox could not be read: ${read}.`;
      return [];
    }
    trouble = troubleIn(read, settings);
    otherNumbers = read.codes.at(-1)?.others ?? [];
    return read.codes.map(({ code }) => code);
  }

  return {
    smsUrl: undefined,
    async codeFor(phone, since, waitMs) {
      const until = clock.now() + waitMs;
      for (;;) {
        const code = (await codesTo(phone)).slice(since).findLast((code) => code !== undefined);
        const left = until - clock.now();
        if (code !== undefined || left <= 0 || closed.signal.aborted) return code;
        await pause(clock, Math.min(POLL_INTERVAL_MS, left), closed.signal);
      }
    },
    asksForMessages: true,
    countsMessages: true,
    messagesTo: async (phone) => (await codesTo(phone)).length,
    trouble: () => trouble,
    otherNumbers: () => otherNumbers,
    close: async () => closed.abort(new Error('The run is over.')),
  };
}

/** What the outbox lists. */
type Read = {
  /** Those of the messages to the phone, oldest first. */
  codes: FoundCode[];
  /** That a message to another spelling of the phone is in the list. */
  misspelt: string | undefined;
};

/** Reads the messages in an answer. A text says what is wrong with it. */
function readMessages(status: number, text: string, phone: string, settings: OutboxSettings): Read | string {
  if (status >= 300 && status < 400) return redirectText(status);
  if (status < 200 || status > 299) return `it answered HTTP ${status}`;
  const parsed = tryJson(text);
  if (!parsed) return `its answer ${whyNotJson(text)}`;
  const list = valueAt(parsed.value, settings.list);
  if (!Array.isArray(list))
    return `its answer has no list at ${settings.list === '' ? 'the top' : settings.list}`;
  const { to } = settings;
  // A list without phones is that of this phone.
  const recipients = list.map((message) => (to === undefined ? phone : String(valueAt(message, to) ?? '')));
  const messages = list.filter((_, index) => phoneOf(recipients[index] ?? '') === phoneOf(phone));
  const codes = messages.map((message) => codeIn(message, settings));
  if (settings.order === 'newest-first') codes.reverse();
  return { codes, misspelt: misspelling(phone, recipients) };
}

function codeIn(message: unknown, { code, text, pattern }: OutboxSettings): FoundCode {
  const value = valueAt(message, code ?? text ?? '');
  if (typeof value !== 'string' && !isNumber(value)) return { code: undefined, others: [] };
  return code === undefined ? findCode(String(value), pattern) : { code: String(value), others: [] };
}

function troubleIn({ codes, misspelt }: Read, { code, text, pattern }: OutboxSettings): string | undefined {
  const last = codes.at(-1);
  if (last === undefined) return misspelt ?? 'The outbox lists no message to this phone.';
  if (codes.some((message) => message.code !== undefined)) return undefined;
  if (code !== undefined) return `The outbox lists messages, and none has a code at ${code}.`;
  return `The outbox lists messages, and at ${text} ${noCodeIn(last.others, { pattern, at: 'otp.outbox.pattern' })}.`;
}
