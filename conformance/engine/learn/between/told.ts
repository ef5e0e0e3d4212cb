/** Tells a recorded exchange in one line, without secrets and patient data, while the person goes on. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { SeenExchange } from '../exchange.ts';

/**
 * The line: method, path, the JSON-RPC method if there is one, and the status. Values of the query and parts
 * of the path that may be values are left out.
 * @example 'POST /login/start?lang=…  200'
 */
export function lineOf({ request, answer }: SeenExchange): string {
  const { method, url, body } = request;
  const called = body.kind === 'json' && isObject(body.json) ? body.json.method : undefined;
  const rpc = typeof called === 'string' && METHOD_NAME.test(called) ? `  ${called}` : '';
  return `${method} ${shownPath(url)}${rpc}  ${answer.status === 0 ? 'no answer' : answer.status}`;
}

/** The path and the names of the query. What may be a value, such as a phone, is `…`. */
function shownPath({ pathname, searchParams }: URL): string {
  const path = pathname.split('/').map((part) => (part === '' || PATH_WORD.test(part) ? part : '…'));
  const names = [...new Set(searchParams.keys())].map((name) => `${PATH_WORD.test(name) ? name : ''}=…`);
  return path.join('/') + (names.length > 0 ? `?${names.join('&')}` : '');
}

/** A JSON-RPC method as programmers name one. */
const METHOD_NAME = /^[a-z_][\w./]{0,59}$/i;
/** A part of a path that a programmer wrote: no capital letter as in names, few digits, and short. */
const PATH_WORD = /^(?!(.*\d){3})[a-z\d_][\w.~-]{0,23}$/;
