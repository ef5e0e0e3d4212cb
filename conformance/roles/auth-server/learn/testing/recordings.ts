/** For tests: recordings that are written by hand, exchange by exchange, and what is learned from them. */
import { parse } from 'yaml';
import { type RecordedExchange, seenExchanges } from '../../../../engine/learn/exchange.ts';
import { learnServer } from '../learn.ts';

type Body = string | object | undefined;
type Headers = Record<string, string>;
type AnswerParts = [status: number, body?: Body, cookies?: string[]];

const USER_SIGN = 'Sg-77_aaBBccDDeeFF00';
export const EXCHANGE_TOKEN = 'Ex9kLm2pQ7rT4vWz';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const textOf = (body: Body) => (typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));

/** A request to the server and its answer: JSON, or a page where it begins with a tag. */
export function exchangeOf(
  method: string,
  path: string,
  headers: Headers,
  body: Body,
  [status, answer, cookies = []]: AnswerParts,
) {
  const type = typeof body === 'string' ? FORM : {};
  const request: RecordedExchange['request'] = {
    method,
    url: new URL(path, 'https://auth.test').href,
    headers: Object.entries({ ...type, ...headers }),
    body: textOf(body),
  };
  const text = textOf(answer);
  const answerHeaders: [string, string][] = [
    ['content-type', text.startsWith('<') ? 'text/html' : 'application/json'],
    ...cookies.map((cookie): [string, string] => ['set-cookie', `${cookie}; Path=/; HttpOnly`]),
  ];
  return { startedAt: 0, request, answer: { status, headers: answerHeaders, body: text } };
}

export const PHONE = '79161234567';

/** A sign-in by phone and code whose answer has these members. Both requests have these headers. */
export const signIn = (
  answer: object,
  { cookies = [], headers = {} }: { cookies?: string[]; headers?: Headers } = {},
) => [
  exchangeOf('POST', '/otp', headers, { phone: PHONE }, [200, {}]),
  exchangeOf('POST', '/login', headers, { phone: PHONE, code: '4821' }, [200, answer, cookies]),
];

/** The calls to the EHR server by which a client links this user, and reads the record. */
export function ehrCallsOfLink(user: string, token: string): RecordedExchange[] {
  const call = (method: string, more: object, result: object) =>
    exchangeOf('POST', 'https://ehr.test/1.0-alpha/', {}, { jsonrpc: '2.0', id: 1, method, ...more }, [
      200,
      { result },
    ]);
  const patientProperties = {
    name: 'Canarina',
    surname: 'Petrova',
    date: '1985-04-12',
    phone: '79990000001',
  };
  const params = { exchangeToken: EXCHANGE_TOKEN, patientProperties };
  return [
    call('embedded_storage.authenticate', { params }, { user_sign: USER_SIGN }),
    call('patient.get_patient', { params: {}, cred: { user, token } }, { name: 'Canarina' }),
  ];
}

export function learnFrom(...recording: RecordedExchange[]) {
  const { text, ...more } = learnServer(seenExchanges(recording));
  return { text, steps: parse(`steps:\n${text}`).steps, ...more };
}
