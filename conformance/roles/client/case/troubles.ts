/** Writes the troubles of the servers as expressions of a script. */
import { errorTable } from '#protocol/wire/errors.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import { HELD_MS, LATE_MS, TEN_YEARS_MINUTES, type Trouble, type TroubleName } from '../servers/troubles.ts';

/** What a trouble is in a script. */
const HOW: Readonly<Record<TroubleName | 'held', string>> = {
  'http-500': `{ status: 500, body: 'Internal Server Error' }`,
  'http-429': `{ status: 429, headers: { 'retry-after': '1' }, body: 'Too Many Requests' }`,
  'not-json': `{ status: 200, body: '<html><body>Bad gateway</body></html>' }`,
  array: `{ status: 200, body: '[]' }`,
  'result-null': '{ reply: { result: null } }',
  'no-result': '{ reply: {} }',
  'result-empty': '{ reply: { result: {} } }',
  redirect: '{ status: 307, headers: { location: urls.elsewhere } }',
  replayed: '{ replayed: true }',
  doubled: '{ doubled: true }',
  'wrong-id': `{ change: (reply) => ({ ...reply, id: 'an-id-of-another-call' }) }`,
  'null-id': '{ change: (reply) => ({ ...reply, id: null }) }',
  'number-id': '{ change: (reply, id) => ({ ...reply, id }) }',
  'result-and-error': `{ change: (reply) => ({ ...reply, ...refused(-32603, 'internal_error') }) }`,
  'more-members': '{ change: withMore }',
  'short-ttl': '{ change: withTtl(1) }',
  'long-ttl': `{ change: withTtl(${TEN_YEARS_MINUTES}) }`,
  'odd-tokens': `{ tail: ' "é\\\\Ж漢😀' }`,
  reset: '{ reset: true }',
  hang: '{ silent: true }',
  late: `{ lateMs: ${LATE_MS} }`,
  held: `{ lateMs: ${HELD_MS} }`,
  'reply-lost': '{ lost: true }',
  truncate: '{ half: true }',
};

/** The expression of a trouble of the next calls of a method. `times` is null for all of them. */
export function troubleText(method: string, trouble: Trouble, times: number | null): string {
  const how = typeof trouble === 'string' ? HOW[trouble] : `{ reply: { error: ${errorText(trouble)} } }`;
  const often = times === 1 ? '' : `, ${times ?? 'Infinity'}`;
  return `trouble(${quoted(method)}, ${how}${often})`;
}

/** The JSON-RPC error of a refusal. */
function errorText({ refuse, isBare, code }: Exclude<Trouble, string>): string {
  const { code: number, message } = errorTable[refuse];
  const shown = { text: `code: ${quoted(refuse)}, `, null: 'code: null, ', absent: '' };
  const data = isBare ? '' : `, data: { reason: ${quoted(refuse)} }`;
  return `{ ${code ? shown[code] : `code: ${number}, `}message: ${quoted(message)}${data} }`;
}
