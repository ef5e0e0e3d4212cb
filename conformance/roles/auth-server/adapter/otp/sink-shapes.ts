/** The interfaces of SMS gateways that the kit's SMS sink can imitate. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';

export type Delivered = { to: string; text: string; from?: string | null };
export type SinkAnswer = { status: number; body: unknown };

export type SinkShape = {
  readonly expects: string;
  isMessage(method: string, path: string): boolean;
  /** The message, or the answer to a body that is none. */
  read(body: string, contentType: string): Delivered | (SinkAnswer & { why: string });
  /** The answer; `number` counts messages from 1, `now` is in milliseconds. */
  taken(message: Delivered, path: string, number: number, now: number): SinkAnswer;
};

/** The kit's own simple form, for servers whose SMS gateway can be any web hook. */
const json: SinkShape = {
  expects: 'POST /sms with the JSON body {"to": "<phone>", "text": "<message>"}',
  isMessage: (method, path) => method === 'POST' && path === '/sms',
  read(body) {
    const value = tryJson(body)?.value;
    if (isObject(value) && isText(value.to) && isText(value.text))
      return { to: String(value.to), text: String(value.text) };
    const why = 'the body is not JSON with "to" and "text"';
    return { why, status: 400, body: { error: { reason: 'invalid', message: `Send ${json.expects}.` } } };
  },
  taken: (_message, _path, number) => ({ status: 202, body: { id: String(number) } }),
};

const TWILIO_PATH = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;

/** The form of the gateway Twilio, whose error numbers and members the answers have. */
const twilio: SinkShape = {
  expects:
    'POST /2010-04-01/Accounts/{AccountSid}/Messages.json with the form fields To, Body and From (or MessagingServiceSid)',
  isMessage: (method, path) => method === 'POST' && TWILIO_PATH.test(path),
  read(body, contentType) {
    if (!contentType.startsWith('application/x-www-form-urlencoded')) {
      return {
        why: `the content type is ${contentType === '' ? 'missing' : 'not application/x-www-form-urlencoded'}`,
        ...refusal(21604, "A 'To' phone number is required."),
      };
    }
    const form = new URLSearchParams(body);
    const [to, text] = [form.get('To') ?? '', form.get('Body') ?? ''];
    if (to === '') return { why: 'To is missing', ...refusal(21604, "A 'To' phone number is required.") };
    if (!form.get('From') && !form.get('MessagingServiceSid'))
      return { why: 'From is missing', ...refusal(21603, "A 'From' phone number is required.") };
    if (text === '') return { why: 'Body is missing', ...refusal(21602, 'Message body is required.') };
    return { to, text, from: form.get('From') };
  },
  taken({ to, text, from = null }, path, number, now) {
    const account = TWILIO_PATH.exec(path)?.[1] ?? '';
    const sid = `SM${String(number).padStart(32, '0')}`;
    const at = new Date(now).toUTCString().replace('GMT', '+0000');
    return {
      status: 201,
      body: {
        account_sid: account,
        api_version: '2010-04-01',
        body: text,
        date_created: at,
        date_sent: null,
        date_updated: at,
        direction: 'outbound-api',
        error_code: null,
        error_message: null,
        from,
        messaging_service_sid: null,
        num_media: '0',
        num_segments: '1',
        price: null,
        price_unit: 'USD',
        sid,
        status: 'queued',
        subresource_uris: { media: `/2010-04-01/Accounts/${account}/Messages/${sid}/Media.json` },
        to,
        uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
      },
    };
  },
};

export const sinkShapes = { json, twilio } as const;

function refusal(code: number, message: string): SinkAnswer {
  return {
    status: 400,
    body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 },
  };
}

/** Whether a member of the JSON body has content. A phone may be sent as a JSON number, too. */
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
