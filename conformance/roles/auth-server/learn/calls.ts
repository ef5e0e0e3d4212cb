/** The calls of a recording, without pages and pictures; those to the EHR server stand apart. */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import {
  givenValues,
  headerIn,
  type SeenExchange,
  type SeenValue,
  segmentsOf,
  sentValues,
  withoutScheme,
  wordsOf,
} from '../../../engine/learn/exchange.ts';

const CODE_NAME =
  /\b(?:otp|code|pin|sms|passcode|one time|tan|kod|2fa|mfa|verification|confirmation|totp|secret|answer)\b/;
const NO_CODE_NAME =
  /\b(?:year|date|birth\w*|zip|postal|country|version|limit|offset|page|time|ts|ttl|phone|amount)\b/;
const CONFIRM_WORDS =
  /\b(?:confirm|verify|verification|check|login|log in|sign in|signin|auth|session|token|validate|answer|challenge|complete|finish)/;
const PHONE_NAME =
  /\b(?:phone|mobile|msisdn|tel|telephone|cell|contact|telefon|handy|number|to|login|user|username|identifier|account)\b/;
const STRONG_PHONE_NAME = /\b(?:phone|mobile|msisdn|tel|telephone|cell|telefon|handy)\b/;

export function codeAt(call: ClientCall, code: SeenValue): string | undefined {
  const found = sameIn(call.sent, code);
  return found !== undefined && isCode(found) ? found : undefined;
}

export const sameIn = (values: readonly SeenValue[], like: SeenValue | undefined): string | undefined =>
  values.find(
    ({ place, name }) => place.in === like?.place.in && place.key === like.place.key && name === like.name,
  )?.value;

const isCode = (value: string) => /^\d{4,8}$/.test(value);

/** The request that sends a code, and the code; by its name, its place in the flow and what it brings. */
export function codeIn(calls: readonly ClientCall[]): { call: ClientCall; value: SeenValue } | undefined {
  const scored = calls.flatMap((call) =>
    call.sent
      .filter(({ value, place }) => isCode(value) && !['header', 'cookie'].includes(place.in))
      .map((value) => ({ call, value, score: codeScore(call, value, calls) })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score >= 5 ? best : undefined;
}

function codeScore(call: ClientCall, { value, name }: SeenValue, calls: readonly ClientCall[]): number {
  const words = wordsOf(name);
  const before = calls.filter(({ number }) => number < call.number);
  const wasGiven = before.some(({ given }) => given.some((each) => each.value === value));
  return (
    (CODE_NAME.test(words) ? 4 : 0) -
    (NO_CODE_NAME.test(words) ? 6 : 0) +
    (CONFIRM_WORDS.test(call.words) ? 2 : 0) +
    (phoneIn([...before, call]) === '' ? 0 : 2) +
    (call.given.some((given) => usesOf(given.value, call, calls).length > 0) ? 3 : 0) -
    (wasGiven ? 2 : 0) -
    (call.exchange.request.method === 'GET' ? 2 : 0)
  );
}

/** The phone that these calls send; '' where there is none. The first calls send it. */
export function phoneIn(calls: readonly ClientCall[]): string {
  // A number of a phone's length that several calls send is one, whatever its name.
  const again = (value: string) =>
    value.replace(/\D/g, '').length >= 10 &&
    calls.filter(({ sent }) => sent.some((each) => each.value === value)).length > 1
      ? 1
      : 0;
  const scored = calls.flatMap(({ sent }, index) =>
    sent
      .filter(({ place }) => !['header', 'cookie'].includes(place.in))
      .map(({ value, name }) => ({
        value,
        score: phoneScore(value, wordsOf(name)) + again(value) - index / 100,
      })),
  );
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score > MIN_PHONE_SCORE ? best.value : '';
}

const MIN_PHONE_SCORE = 1.5;
const NO_PHONE = -10;

function phoneScore(value: string, words: string): number {
  const digits = value.replace(/\D/g, '');
  if (!/^\+?[\d\s().-]+$/.test(value) || digits.length < 7 || digits.length > 15) return NO_PHONE;
  const isTime = /^1[67]\d{8}(?:\d{3})?$/.test(value) && !PHONE_NAME.test(words);
  if (isTime || /^\d{4}-\d\d-\d\d/.test(value)) return NO_PHONE;
  const named = STRONG_PHONE_NAME.test(words) ? 3 : PHONE_NAME.test(words) ? 2 : 0;
  return named + (digits.length >= 10 ? 1 : 0) + (value.startsWith('+') ? 1 : 0);
}

export const usesOf = (value: string, after: ClientCall, calls: readonly ClientCall[]): ClientCall[] =>
  calls.filter(({ number, sent }) => number > after.number && sent.some((each) => each.value === value));

export type ClientCall = {
  readonly exchange: SeenExchange;
  readonly number: number;
  readonly method: string;
  readonly title: string;
  readonly words: string;
  readonly path: readonly PathPart[];
  readonly rpc?: { readonly method: string; readonly params: unknown; readonly cred: unknown };
  readonly sent: readonly SeenValue[];
  readonly given: readonly SeenValue[];
  /** Whether the answer has a status of a success or a redirect, and is no error of JSON-RPC. */
  readonly isAnswered: boolean;
  readonly isPage: boolean;
};

export type EhrTraffic = {
  readonly user?: string | undefined;
  readonly token?: string | undefined;
  readonly exchangeToken?: string | undefined;
  readonly userSign?: string | undefined;
};

export function callsOf(exchanges: readonly SeenExchange[]): { calls: ClientCall[]; ehr: EhrTraffic } {
  const used = exchanges.filter(isUsed);
  const ehr = used.filter(isToEhr);
  const names = personNames(exchanges);
  const calls = used.filter((exchange) => !ehr.includes(exchange)).map((exchange) => callOf(exchange, names));
  return { calls, ehr: ehrTraffic(ehr) };
}

/** A part of a path. A word was written by a programmer; any other part may be a value. */
export type PathPart = { readonly part: string; readonly isWord: boolean };

/** What persons are called in the recording: the words in lower case, which no path may show. */
function personNames(exchanges: readonly SeenExchange[]): ReadonlySet<string> {
  const values = exchanges.flatMap((exchange) => [...sentValues(exchange), ...givenValues(exchange)]);
  const named = values.filter(({ name }) => PERSON_NAME.test(wordsOf(name)));
  return new Set(named.flatMap(({ value }) => wordsIn(value)));
}

const PERSON_NAME =
  /^(?:(?:first|last|middle|given|family|full|maiden|birth|patient|display) name|name|(?:first|last|sur|middle)name|fio|patronymic)$/;
const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 2);

/** A single word with a capital, where the words before it have none: `/v1/people/Petrova`. */
function pathParts(url: URL, names: ReadonlySet<string>): PathPart[] {
  const parts = segmentsOf(url);
  return parts.map((part, index) => {
    const isName =
      wordsIn(part).some((word) => names.has(word)) ||
      (/^[A-Z][a-z]+$/.test(part) && parts.slice(0, index).some((before) => LOWER_WORD.test(before)));
    return { part, isWord: isWord(part) && !isName };
  });
}

/** A word that stands before capitals in no convention of paths, unlike `api` and `v1`. */
const LOWER_WORD = /^(?!api$|rest$|v\d)[a-z][a-z-]+$/;

const STATIC_TYPE = /^(?:image|font|video|audio)\/|css|javascript|ecmascript|wasm|manifest/i;
const STATIC_PATH = /\.(?:js|mjs|css|map|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|webmanifest)$/i;

function isUsed({ request, answer }: SeenExchange): boolean {
  return (
    /^https?:$/.test(request.url.protocol) &&
    !['OPTIONS', 'HEAD', 'CONNECT'].includes(request.method) &&
    answer.status > 0 &&
    !(request.method === 'GET' && STATIC_PATH.test(request.url.pathname)) &&
    !STATIC_TYPE.test(headerIn(answer.headers, 'content-type') ?? '')
  );
}

const EHR_METHODS = new Set(Object.keys(ehrMethods).filter((name) => name !== 'rpc.discover'));

function isToEhr({ request: { body } }: SeenExchange): boolean {
  return body.kind === 'json' && EHR_METHODS.has(String(Object(body.json).method));
}

function ehrTraffic(exchanges: readonly SeenExchange[]): EhrTraffic {
  const sent = exchanges.flatMap(sentValues);
  const given = exchanges.flatMap(givenValues);
  const first = (values: readonly SeenValue[], pattern: RegExp) =>
    values.find(({ place }) => pattern.test(place.key))?.value;
  return {
    user: first(sent, /^\/cred\/user$/),
    token: first(sent, /^\/cred\/token$/),
    exchangeToken: first(sent, /^\/params\/exchange_?token$/i),
    userSign: first(given, /^\/result\/user_?sign$/i),
  };
}

function callOf(exchange: SeenExchange, names: ReadonlySet<string>): ClientCall {
  const { request, answer, number } = exchange;
  const json = request.body.kind === 'json' ? request.body.json : undefined;
  const rpc = rpcOf(json);
  const { method } = request;
  const path = pathParts(request.url, names);
  // A star stands for each part that may be a value, such as an id or a phone.
  const shape = path.map(({ part, isWord }) => (isWord ? part : '*')).join('/');
  const title = rpc?.method ?? `${method} /${shape}`;
  const isError =
    answer.body.kind === 'json' && rpc !== undefined && isObject(Object(answer.body.json).error);
  const type = headerIn(answer.headers, 'content-type') ?? '';
  return {
    exchange,
    number,
    method,
    title,
    words: wordsOf(title),
    path,
    ...(rpc && { rpc }),
    sent: sentValues(exchange),
    given: givenValues(exchange),
    isAnswered: answer.status >= 200 && answer.status < 400 && !isError,
    isPage: request.method === 'GET' && /html/i.test(type),
  };
}

function rpcOf(json: unknown): ClientCall['rpc'] {
  if (!isObject(json) || typeof json.method !== 'string' || json.jsonrpc === undefined) return undefined;
  return { method: json.method, params: json.params, cred: json.cred };
}

export const isWord = (part: string): boolean =>
  /^v?\d{1,2}(?:\.\d{1,2})?(?:-?[a-z]+)?$/i.test(part) ||
  (part.length <= MAX_WORD_CHARS && isMostlySmall(part) && part.split(/[._~:/-]/).every(isPiece));

/** A long word has small letters above all; a drawn value has as many capitals, by chance between hyphens. */
const isMostlySmall = (part: string): boolean =>
  part.length < 16 || part.replace(/[^a-z]/g, '').length >= 0.7 * part.length;

const MAX_WORD_CHARS = 40;
const MIN_LETTERS_A_WORD = 3;

/** Words joined as in `confirmOtp` or `getSMSCode`; drawn values change between cases more often. */
function isPiece(piece: string): boolean {
  const words = piece.match(/[A-Z]*[a-z]+|[A-Z]+$/g) ?? [];
  const isJoined = words.length < 2 || piece.length >= words.length * MIN_LETTERS_A_WORD;
  return /^[A-Za-z]*\d{0,2}$/.test(piece) && isJoined;
}

export const bearerOf = ({ exchange }: ClientCall): string | undefined => {
  const header = headerIn(exchange.request.headers, 'authorization');
  return header === undefined ? undefined : withoutScheme(header);
};
