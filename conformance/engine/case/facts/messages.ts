/** Facts about messages: what the party sent, and what it answered. */
import { createHash } from 'node:crypto';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Fact, Writer } from '../fact.ts';
import { quoted } from '../js-text.ts';
import type { Trace, TracedCall } from '../trace/traced-call.ts';
import { factsOfLeaf, leavesOf } from './leaves.ts';
import { on, RANK } from './rank.ts';

/** The methods that a party calls at the servers of the script. */
export const METHODS = ['embedded_storage.save_exchange_token', 'embedded_storage.save_auth_info'];

/** Whether a client understands the answer: it is no internal error. */
export function isUnderstood({ status, body }: NonNullable<TracedCall['response']>): boolean {
  const json = tryJson(body)?.value;
  return status < 500 && !(isObject(json) && isObject(json.error) && json.error.code === -32603);
}

/** Puts together what was sent with one method. What is no JSON-RPC call has no method. */
export function byMethod(inner: TracedCall['inner']): Map<string, TracedCall['inner']> {
  const found = new Map<string, TracedCall['inner']>();
  for (const each of inner) {
    const json = tryJson(each.request.body)?.value;
    const method = isObject(json) && typeof json.method === 'string' ? json.method : 'no method';
    found.set(method, [...(found.get(method) ?? []), each]);
  }
  return found;
}

/** Headers of a call that tell whether it is as it should be. */
const JUDGED_HEADERS = ['content-type', 'authorization', 'cookie', 'x-api-key'];

/** Facts about one call of the party: of this method, and the `index`-th of it during the call `key`. */
export function factsOfSent(
  { key, method, index }: { key: string; method: string; index: number },
  request: TracedCall['request'],
  trace: Trace,
): Fact[] {
  const entry = (rest: string) => (writer: Writer) => {
    const list = writer.sent(key, method);
    return on(list && `${list}[${index}]`, rest);
  };
  const words = `${method} of "${key}"`;
  const id = `${key} ${method} ${index}`;
  const about = { id, key, words, list: entry('.json'), isPortable: true };
  const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const facts = [
    ...leavesOf(tryJson(request.body)?.value).flatMap((leaf) => factsOfLeaf(about, leaf, trace)),
    ...JUDGED_HEADERS.map((name) =>
      equals(
        { ...about, list: entry(`.headers[${quoted(name)}]`) },
        `the header ${name}`,
        headers.get(name),
        name === 'content-type' ? RANK.wire : RANK.header,
      ),
    ),
    equals({ ...about, list: entry('.path') }, 'the path', request.path, RANK.wire),
    equals({ ...about, list: entry('.http') }, 'the HTTP method', request.method, RANK.wire),
  ];
  return facts.map((fact) => ({ ...fact, message: id }));
}

type MessagePart = {
  id: string;
  key: string;
  words: string;
  list: (writer: Writer) => string | undefined;
  isPortable: boolean;
};

/** A part of a message has this value, or is not there. */
function equals(
  { id, key, words, list, isPortable }: MessagePart,
  what: string,
  value: string | undefined,
  rank: number,
): Fact {
  const literal = value === undefined ? 'undefined' : quoted(value);
  return {
    ...{ id: `${id} ${what} ${literal}`, key, rank, isPortable },
    text: value === undefined ? `${words} does not have ${what}` : `${words} has ${what} ${value}`,
    write(writer) {
      const js = list(writer);
      return js === undefined ? undefined : { test: `(${js} ?? undefined) === ${literal}`, seen: js };
    },
  };
}

/** Headers whose values say nothing. */
const CHANGING =
  /^(date|content-length|etag|set-cookie|connection|keep-alive|transfer-encoding|server|x-request-id|traceparent|location)$/i;

/** Headers that tell something by not being there. */
const NOTABLE = ['access-control-allow-origin', 'access-control-allow-credentials', 'set-cookie', 'location'];

/** Facts about the answer of the party to a call. */
export function factsOfAnswer({ key, link, request, response }: TracedCall, trace: Trace): Fact[] {
  if (!response || !trace.sides.party.includes(link)) return [];
  const { status, headers, body } = response;
  const answer = (rest: string) => (writer: Writer) => on(writer.answer(key), rest);
  const about = { id: `${key} answer`, key, words: `the answer to "${key}"`, isPortable: false };
  return [
    ...leavesOf(tryJson(body)?.value)
      .flatMap((leaf) => factsOfLeaf({ ...about, list: answer('.json'), sent: request.body }, leaf, trace))
      .map((fact) => ({ ...fact, isPortable: false })),
    equals({ ...about, list: answer('.status + ""') }, 'the status', String(status), RANK.status),
    ...headers
      .filter(([name]) => !CHANGING.test(name))
      .map(([name, value]) =>
        equals(
          { ...about, list: answer(`.headers.get(${quoted(name.toLowerCase())})`) },
          `the header ${name}`,
          value,
          RANK.header,
        ),
      ),
    ...NOTABLE.filter((name) => headers.every(([each]) => each.toLowerCase() !== name)).map((name) =>
      equals(
        { ...about, list: answer(`.headers.get('${name}')`) },
        `the header ${name}`,
        undefined,
        RANK.header,
      ),
    ),
    ...lacking(about, `${headers.map(([, value]) => value).join('\n')}\n${body}`, trace),
  ];
}

/** The known values that an answer does not contain. */
function lacking({ id, key, words }: Omit<MessagePart, 'list'>, text: string, { names }: Trace): Fact[] {
  const absent = [...names].filter(([value]) => !formsOf(value).some((form) => text.includes(form)));
  return absent.map(([, name]) => ({
    ...{ id: `${id} lacks ${name}`, key, rank: RANK.leak, isPortable: true },
    text: `${words} does not contain the ${name}`,
    write(writer) {
      const [a, js] = [writer.answer(key), writer.value(name)];
      return a === undefined || js === undefined ? undefined : { test: `!contains(${a}, ${js})`, seen: a };
    },
  }));
}

/** The forms in which a value may hide in an answer: `contains` of the script knows the same. */
export function formsOf(value: string): string[] {
  const hash = (name: string) => createHash(name).update(value).digest('hex');
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  return [value, base64, hash('sha1'), hash('sha256'), hash('md5')];
}
