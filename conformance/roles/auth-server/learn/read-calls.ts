/** The calls of a recording, without scripts, styles and pictures; those to the EHR server stand apart. */
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

/** A part of a path. A word was written by a programmer; any other part may be a value. */
type PathPart = { readonly part: string; readonly isWord: boolean };

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

/** The later calls that send this value. */
export const usesOf = (value: string, after: ClientCall, calls: readonly ClientCall[]): ClientCall[] =>
  calls.filter(({ number, sent }) => number > after.number && sent.some((each) => each.value === value));

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

/** A part is also a name where it is one word with a capital, after words without: `/v1/people/Petrova`. */
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
