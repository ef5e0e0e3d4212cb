/**
 * Finds in messages of an authorization server what they must not have: secrets in clear instead of as a
 * digest, and patient data in any form (escaped, encoded, packed or hashed).
 */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import type { RawExchange } from '../../entry.ts';
import { findCanaries, MIN_WITHIN_CHARS } from '../canaries.ts';
import { decodedTexts, percentDecoded, unpackedTexts } from '../decoded-texts.ts';
import type { Knowledge } from '../knowledge.ts';
import { hasForm } from '../sought-forms.ts';
import { findPatientHashes } from './hashes.ts';

/** Lists the secrets in a request, each with its place: "the internal password in the body". */
export function secretsInClear({ request }: RawExchange, { passwordForms, signs }: Knowledge): string[] {
  const found: string[] = [];
  const look = (place: string, text: string) => {
    if (hasForm(text, passwordForms)) found.push(`the internal password in the ${place}`);
    const candidates = [text, text.includes('%') ? percentDecoded(text) : text];
    for (const sign of signs.keys())
      if (candidates.some((candidate) => candidate.includes(sign))) found.push(`a user_sign in the ${place}`);
  };
  look('request line', request.path);
  for (const [name, value] of request.headers) look(`header ${name.toLowerCase()}`, value);
  look('body', unescapeJson(request.body));
  return [...new Set(found)];
}

/** Lists the tokens of a call that also stand in its path or its headers, which are written to logs. */
export function tokensBesideBody({ request }: RawExchange): string[] {
  const params = paramsOf(request.body);
  const authInfo = membersOf(params.authInfo);
  const tokens = { 'the session token': authInfo.token, 'the exchange token': params.exchangeToken };
  const places = [
    ['path', request.path],
    ...request.headers.map(([name, value]) => [`header ${name}`, value]),
  ] as const;
  const found = Object.entries(tokens).flatMap(([what, token]) => {
    if (typeof token !== 'string' || token.length < MIN_TOKEN_CHARS) return [];
    const has = (text: string) =>
      [text, percentDecoded(text), ...decodedTexts(text)].some((one) => one.includes(token));
    return places
      .filter(([, text = '']) => has(text))
      .map(([place]) => `${what} in the ${place}`.toLowerCase());
  });
  return [...new Set(found)];
}

/** A shorter token may occur in a path by chance. */
const MIN_TOKEN_CHARS = 8;

function paramsOf(body: string): Record<string, unknown> {
  const value = tryJson(body)?.value;
  const [call] = Array.isArray(value) ? value : [value];
  return membersOf(membersOf(call).params);
}

function unescapeJson(body: string): string {
  const parsed = tryJson(body);
  return parsed ? writeJson(parsed.value) : body;
}

type Sought = Pick<Knowledge, 'patientData' | 'recognizePatientHash' | 'formsOf'>;

/**
 * Lists the patient data in a message: "surname in the request body, base64". A name of a member or method is
 * none, nor is who signs in.
 */
export function findPatientData({ request, response }: RawExchange, sought: Sought): string[] {
  const { patientData: values, recognizePatientHash, formsOf } = sought;
  if (values.size === 0) return [];
  const canariesIn = (text: string, wanted = [...values.keys()]) =>
    wanted.length === 0 ? [] : findCanaries(text, wanted, formsOf);
  const known = signInOf(request.body, values);
  const told = (text: string) => known.reduce((rest, own) => rest.replaceAll(own, ' '), text);
  const places = [
    ['request line', request.path],
    ...request.headers.map(([name, value]) => [`header ${name.toLowerCase()}`, value]),
    ['request body', request.body.replace(NAMES, ' :')],
    ...(response ? [['reply', response.body.replace(NAMES, ' :')]] : []),
  ].map(([place = '', text = '']): [string, string] => [place, told(text)]);
  const whole = places.map(([, text]) => text).join('\n');
  // Most messages have no patient data. The places are searched one by one only for values that occur.
  const found = [...new Set(canariesIn(`${whole}\n${hiddenIn(whole)}`).map(({ value }) => value))];
  const inPlaces = places.flatMap(([place, text]) => [
    ...canariesIn(text, found).map(({ value, form }) => `${values.get(value)} in the ${place}, ${form}`),
    ...canariesIn(hiddenIn(text), found).map(
      ({ value }) => `${values.get(value)} in the ${place}, packed in base64`,
    ),
    ...findPatientHashes(text, recognizePatientHash).map((what) => `${what} in the ${place}`),
  ]);
  return [...new Set(inPlaces)];
}

/** The method and the members of a JSON text, where they are named as programs name them. */
const NAMES = /"(?:method"\s*:\s*"[a-z][\w.]*"|[a-z]\w*"\s*:)/g;

/**
 * The phone or the e-mail address by which a call signs in, which is known there, and the code. A call that
 * signs in has no `cred`. A long value that is itself a patient's is no chance, and not left out.
 */
function signInOf(body: string, values: ReadonlyMap<string, string>): string[] {
  const value = tryJson(body)?.value;
  return (Array.isArray(value) ? value : [value]).flatMap((call) => {
    const { params, cred } = membersOf(call);
    if (isObject(cred)) return [];
    const { phone, email, code } = membersOf(params);
    const isPatients = (text: string) => text.length >= MIN_WITHIN_CHARS && values.has(text);
    const own = [phone, email].map(String).filter((each) => ATTRIBUTE.test(each) && !isPatients(each));
    return /^\d+$/.test(String(code)) ? [...own, `"${String(code)}"`] : own;
  });
}

/** A shorter number is no phone: left out, it would tear dates and other numbers apart. */
const ATTRIBUTE = /^[^\s@]+@[^\s@]+$|^\+?\d[\d ().-]{4,}$/;

const hiddenIn = (text: string) => [...decodedTexts(text), ...unpackedTexts(text)].join('\n');
