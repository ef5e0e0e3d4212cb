/**
 * Learns the secrets that stand under a name such as `sessionToken` in the query, in a JSON body or in a form.
 * In a watched session the kit sends nothing itself, and knows no secret from its own steps.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { isNumber, tryJson } from '#protocol/wire/json.ts';
import type { RawExchange } from '../entry.ts';
import type { Pseudonyms, SecretKind } from './pseudonyms.ts';

type Learn = (name: string, value: unknown, inCred: boolean) => void;

/** Limit the search in a hostile message: more members, and deeper, than any message of the interface. */
const MAX_MEMBERS = 500;
const MAX_DEPTH = 10;
const MAX_FORM_CHARS = 64 * 1_024;

/** A shorter value occurs by chance, and a longer one is no secret of the interface. */
const MIN_SECRET_CHARS = 4;
const MAX_SECRET_CHARS = 1_024;

export function learnByName({ link, request, response }: RawExchange, pseudonyms: Pseudonyms): void {
  const learn =
    (fromCaller: boolean): Learn =>
    (name, value, inCred) => {
      const text = isNumber(value) ? String(value) : value;
      if (typeof text !== 'string') return;
      if (text.length < MIN_SECRET_CHARS || text.length > MAX_SECRET_CHARS) return;
      const kind = kindOf(name.toLowerCase().replace(/[^a-z]/g, ''), text, fromCaller);
      if (kind) pseudonyms.learn(inCred && link === 'auth->ehr' ? 'digest' : kind, text);
    };
  const query = request.path.indexOf('?');
  if (query >= 0) learnFromForm(request.path.slice(query + 1), learn(true));
  learnFromBody(request.body, learn(true));
  if (response) learnFromBody(response.body, learn(false));
}

/** The kind of secret by the name of its member. In an answer "code" may be the number of an error. */
function kindOf(name: string, value: string, fromCaller: boolean): SecretKind | undefined {
  if (/exchangetoken$/.test(name)) return 'exchange-token';
  if (/usersign$/.test(name)) return 'user-sign';
  if (/token$|^sessionid$|^session$|^bearer$|^jwt$/.test(name)) return 'session-token';
  if (/password$|passwd$|secret$|apikey$/.test(name)) return 'password';
  if (!fromCaller) return undefined;
  if (/phone(number)?$|^msisdn$|^mobile$|^tel$/.test(name) && /(\d\D*){4}/.test(value)) return 'phone';
  if (/code$|^otp$|^pin$/.test(name) && /^\d{4,10}$/.test(value)) return 'code';
  return undefined;
}

function learnFromBody(body: string, learn: Learn): void {
  const json = tryJson(body);
  // A body that is no JSON may be a form.
  if (!json) {
    learnFromForm(body, learn);
    return;
  }
  let left = MAX_MEMBERS;
  const walk = (member: unknown, depth: number, inCred: boolean): void => {
    if (depth > MAX_DEPTH) return;
    for (const [name, inner] of isObject(member) || Array.isArray(member) ? Object.entries(member) : []) {
      if (left-- <= 0) return;
      learn(name, inner, inCred);
      walk(inner, depth + 1, name === 'cred');
    }
  };
  walk(json.value, 0, false);
}

function learnFromForm(text: string, learn: Learn): void {
  if (!text.includes('=') || text.length > MAX_FORM_CHARS) return;
  let left = MAX_MEMBERS;
  for (const [name, value] of new URLSearchParams(text)) if (left-- > 0) learn(name, value, false);
}
