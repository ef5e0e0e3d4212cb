import { parse } from 'yaml';
import { type RawExchange, seenExchanges } from '../../../../engine/learn/exchange.ts';
import { learnServer } from '../learn.ts';

type Body = string | object | undefined;
type Headers = Record<string, string>;
type AnswerParts = [status: number, body?: Body, cookies?: string[]];

const SIGN = 'Sg-77_aaBBccDDeeFF00';
export const TICKET = 'Ex9kLm2pQ7rT4vWz';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const textOf = (body: Body) => (typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));

/** A request to the server and its answer: JSON, or a page where it begins with a tag. */
export function asked(
  method: string,
  path: string,
  headers: Headers,
  body: Body,
  [status, answer, cookies = []]: AnswerParts,
) {
  const type = typeof body === 'string' ? FORM : {};
  const sent: RawExchange['request'] = {
    method,
    url: new URL(path, 'https://auth.test').href,
    headers: Object.entries({ ...type, ...headers }),
    body: textOf(body),
  };
  const text = textOf(answer);
  const answered: [string, string][] = [
    ['content-type', text.startsWith('<') ? 'text/html' : 'application/json'],
    ...cookies.map((cookie): [string, string] => ['set-cookie', `${cookie}; Path=/; HttpOnly`]),
  ];
  return { startedAt: 0, request: sent, answer: { status, headers: answered, body: text } };
}

export function linked(user: string, token: string): RawExchange[] {
  const call = (method: string, more: object, result: object) =>
    asked('POST', 'https://ehr.test/1.0-alpha/', {}, { jsonrpc: '2.0', id: 1, method, ...more }, [
      200,
      { result },
    ]);
  const patientProperties = {
    name: 'Canarina',
    surname: 'Petrova',
    date: '1985-04-12',
    phone: '79990000001',
  };
  const params = { exchangeToken: TICKET, patientProperties };
  return [
    call('embedded_storage.authenticate', { params }, { user_sign: SIGN }),
    call('patient.get_patient', { params: {}, cred: { user, token } }, { name: 'Canarina' }),
  ];
}

export function learned(...recording: RawExchange[]) {
  const { text, ...more } = learnServer(seenExchanges(recording));
  return { text, steps: parse(`steps:\n${text}`).steps, ...more };
}
