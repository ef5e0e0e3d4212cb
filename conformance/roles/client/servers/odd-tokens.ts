/**
 * Gives a client tokens with signs beyond ASCII, in the place of those of the servers. What the client sends
 * back is changed back before the servers and the rules of messages see it.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { replying } from '../../../engine/wire/faults.ts';
import type { RequestChange } from '../../../engine/wire/request-change.ts';

/** What is added to each token: a blank, quotes, signs of one to four bytes. */
const TAIL = ' "é\\Ж漢😀';

/** Changes all texts in a value. */
function inTexts(value: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((each) => inTexts(each, change, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([each, member]) => [each, inTexts(member, change, each)]),
  );
}

/** The members of replies that hold a user, a token or a signature. */
const TOKENS = new Set(['user', 'token', 'exchangeToken', 'user_sign', 'userSign']);

/** Adds the signs to each token in a reply. */
export const withOddTokens = replying(
  (reply) => inTexts(reply, (text, name) => (TOKENS.has(name) ? text + TAIL : text)) as object,
);

/** Removes the signs from each token in a request; returns the very request where there is none. */
export const withoutOddTokens: RequestChange = (request) => {
  const value = tryJson(request.body)?.value;
  let isOdd = false;
  const plain = inTexts(value, (text) => {
    if (!text.endsWith(TAIL)) return text;
    isOdd = true;
    return text.slice(0, -TAIL.length);
  });
  if (!isOdd) return request;
  const body = JSON.stringify(plain);
  const headers = request.headers.map(([name, old]): [string, string] => [
    name,
    name.toLowerCase() === 'content-length' ? String(Buffer.byteLength(body)) : old,
  ]);
  return { ...request, headers, body };
};
