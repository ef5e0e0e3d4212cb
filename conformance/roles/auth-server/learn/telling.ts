/** Finds how the server tells a success from a refusal, where the statuses of HTTP do not tell it. */
import { isObject } from '#protocol/wire/envelope.ts';
import { headerIn } from '../../../engine/learn/exchange.ts';
import { leavesOf, type SeenValue, wordsOf } from '../../../engine/learn/values.ts';
import { valueAt } from '../../../engine/party/requests/json-pointer.ts';
import { type ClientCall, isWord } from './calls.ts';
import { isHarmless } from './request/literals.ts';
import { isRefusedAttempt } from './sign-in.ts';
import type { Findings } from './steps.ts';

/** How answers are told apart, in the keys of an adapter file, and how it is known. */
export type Telling = {
  success?: Record<string, unknown>;
  refusal?: Record<string, unknown>;
  /** Sentences for the comment. */
  notes: string[];
};

/**
 * How the answer to this call, which was a success, differs from a refusal.
 * @param needed the place of the value that a success must have
 */
export function tellingOf(call: ClientCall, findings: Findings, needed?: unknown): Telling {
  if (call.rpc) return { notes: [] };
  const refused = refusedIn(findings);
  const ownRefused = refused.filter(({ title }) => title === call.title);
  if (call.exchange.answer.status >= 300) return redirected(call, refused, findings);
  const page = pageOfRefusal(call, ownRefused);
  if (page) return { refusal: page, notes: [] };
  const isToldInBody = refused.some(
    ({ exchange, rpc }) => exchange.answer.status < 300 && !rpc && exchange.answer.body.kind === 'json',
  );
  const byNeeded = isToldInBody && typeof needed === 'string' ? { pointer: needed } : undefined;
  const success = successMember(call, ownRefused) ?? byNeeded;
  const refusal = refusalPlaces(refused, call, success?.pointer);
  if (success && refusal) return { success, refusal, notes: [] };
  // A success that is told by a member, and a refusal with a status of its own.
  const isTold = refused.some(({ exchange }) => exchange.answer.status >= 400);
  if (success && !isTold) return { success, notes: ['any other value there is taken for a refusal'] };
  const places = {
    ...(isTold && refusal),
    ...(redirects(findings) && { location: back(findings).join('|') }),
  };
  return { ...(Object.keys(places).length > 0 && { refusal: places }), notes: [] };
}

/** Whether the recording has a wrong code, which alone shows how a refusal looks. */
export const showsRefusal = (findings: Findings): boolean =>
  findings.signIn.confirm.rpc !== undefined ||
  refusedIn(findings).some((call) => findings.signIn.attempts.includes(call));

/** The refusals of a recording: statuses of errors, and confirmations that opened no session. */
function refusedIn({ calls, signIn }: Findings): ClientCall[] {
  return calls.filter(
    (call) =>
      (call.exchange.answer.status >= 400 && call.exchange.answer.status < 500) ||
      isRefusedAttempt(call, signIn),
  );
}

const jsonOf = ({ exchange: { answer } }: ClientCall): unknown =>
  answer.body.kind === 'json' ? answer.body.json : undefined;

const FLAG_NAME =
  /^(?:ok|success|succeeded|successful|is success|status|result|state|outcome|code|result code|error code|err|error|errno)$/;
const FLAG_OF_SUCCESS = /^(?:true|ok|success|succeeded|done|0)$/i;

/** The member by which a success differs from these refusals, or whose name says so where there are none. */
function successMember(call: ClientCall, refused: readonly ClientCall[]): Telling['success'] {
  const json = jsonOf(call);
  if (!isObject(json)) return undefined;
  if (call.operation !== undefined && isObject(json.data)) {
    const [field] = Object.keys(json.data);
    return field === undefined ? undefined : { pointer: `/data/${field}` };
  }
  const differs = (pointer: string, value: unknown) =>
    refused.every((each) => each.exchange.answer.status >= 400 || valueAt(jsonOf(each), pointer) !== value);
  const flags = flagsOf(json).filter(({ name, pointer, value }) => {
    const isFlag = FLAG_NAME.test(wordsOf(name)) && isHarmless(String(value), 'status');
    return isFlag && differs(pointer, value) && (refused.length > 0 || FLAG_OF_SUCCESS.test(String(value)));
  });
  const [flag] = flags;
  return flag && { pointer: flag.pointer, equals: flag.value };
}

/** The scalars of the top and of the sections below it. */
function flagsOf(json: object): { name: string; pointer: string; value: string | number | boolean }[] {
  return Object.entries(json).flatMap(([name, value]) => {
    if (['string', 'number', 'boolean'].includes(typeof value))
      return [{ name, pointer: `/${name}`, value: value as boolean }];
    if (!isObject(value)) return [];
    return Object.entries(value)
      .filter(([, member]) => typeof member === 'boolean' || typeof member === 'string')
      .map(([key, member]) => ({ name: key, pointer: `/${name}/${key}`, value: member as boolean }));
  });
}

const depthOf = ({ place }: SeenValue): number => place.key.split('/').length;

const REASON_NAME = /\b(?:reason|problem|error|message|detail|title|description|msg|text|fault)\b/;
/** Names of a code, the surest first. */
const CODE_NAMES = [
  /^(?:code|(?:result|error|status|reason) code|err|errno)$/,
  /^(?:reason|error|type)$/,
  /^status$/,
];

/**
 * Where refusals have their code and their reason.
 * @param flag the member that tells a success; it is no code, unless it is named one
 */
function refusalPlaces(refused: readonly ClientCall[], call: ClientCall, flag: unknown): Telling['refusal'] {
  if (call.operation !== undefined) return { code: '/errors/0/extensions/code', reason: '/errors/0/message' };
  const leaves = refused
    .flatMap((each) => leavesOf(jsonOf(each)))
    .filter(({ value }) => value !== '')
    .toSorted((a, b) => depthOf(a) - depthOf(b));
  const reasons = leaves.filter(
    ({ name }) => REASON_NAME.test(wordsOf(name)) && !/ code$/.test(wordsOf(name)),
  );
  // A sentence is a reason, and a word beside it the code.
  const reason = (reasons.find(({ value }) => /\s/.test(value)) ?? reasons[0])?.place.key;
  const [code] = CODE_NAMES.flatMap((names, rank) =>
    leaves
      .filter(({ name, place, value }) => {
        const isFlag = rank > 0 && place.key === flag;
        return names.test(wordsOf(name)) && !isFlag && !/\s/.test(value);
      })
      .map(({ place }) => place.key),
  ).filter((key) => key !== reason);
  if (reason === undefined && code === undefined) return undefined;
  return { ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) };
}

/** Elements in which pages say that something is wrong. */
const ERROR_CLASS = /class="[^"]*?((?:error|alert|invalid|danger|warning)[\w-]*)[^"]*"/gi;

/** How a page tells that it refuses, where a success is a page with the same status. */
function pageOfRefusal(call: ClientCall, refused: readonly ClientCall[]): Telling['refusal'] {
  const { status, body } = call.exchange.answer;
  const shown = body.kind === 'text' ? body.text : '';
  for (const {
    exchange: { answer },
  } of refused) {
    if (answer.status !== status || answer.body.kind !== 'text') continue;
    const names = [...answer.body.text.matchAll(ERROR_CLASS)].map(([, name = '']) => name);
    const own = names.find((name) => !shown.includes(name));
    if (own !== undefined) return { pattern: `class="[^"]*${own}[^"]*"[^>]*>(?:\\s*<[^>]*>)*\\s*([^<]+)` };
  }
  return undefined;
}

/** Where pages lead those whom they refuse: back to where a sign-in begins, or to an error. */
function back({ calls, signIn: { request, confirm } }: Findings): string[] {
  const first = (request ?? confirm).number;
  const page = calls.findLast(({ number, isPage }) => number < first && isPage);
  return [...(page ? [exactly(page)] : []), 'log-?in|sign-?in|error'];
}

/** Matches the path of a call, and none below it. */
const exactly = ({ exchange }: ClientCall) =>
  `${pattern(wordsIn(exchange.request.url.pathname))}/?(?:$|[?#])`;

/** Whether the server answers steps by redirects. */
const redirects = ({ steps }: Findings): boolean =>
  Object.values(steps).some(({ call }) => call.exchange.answer.status >= 300);

/** A redirect: the address to which it leads tells. */
function redirected(call: ClientCall, refused: readonly ClientCall[], findings: Findings): Telling {
  const { status } = call.exchange.answer;
  const leadsTo = pathIn(call);
  const elsewhere = refused.filter(
    ({ exchange }) => exchange.answer.status >= 300 && exchange.answer.status < 400,
  );
  const other = elsewhere.find(({ title }) => title === call.title);
  const success = { statuses: [status], location: pattern(leadsTo) };
  const own = refused
    .filter(({ title }) => title === call.title)
    .map(({ exchange }) => exchange.answer.status);
  if (own.includes(200)) return { success, refusal: { statuses: [200] }, notes: [] };
  if (other) {
    const same = pathIn(other) === leadsTo;
    return {
      success,
      refusal: { location: same ? `${pattern(leadsTo)}\\?(.*error[^&]*)` : pattern(pathIn(other)) },
      notes: [],
    };
  }
  // Every HTTP 4xx is a refusal.
  if (own.length > 0) return { success, notes: [] };
  const notes = ['how a refusal looks is a guess, as the recording has none here'];
  // A page for people leads those back to its form whom it refuses, or shows the form again.
  const led = headerIn(call.exchange.answer.headers, 'location') ?? '';
  const places = [exactly(call), ...back(findings)].filter((place) =>
    [leadsTo, led].every((to) => !new RegExp(place, 'i').test(to)),
  );
  const location = [...new Set(places)].join('|');
  return { success, refusal: { statuses: [200], ...(location !== '' && { location }) }, notes };
}

/** The path of a Location, without what could be a value. */
function pathIn({ exchange: { answer, request } }: ClientCall): string {
  const location = headerIn(answer.headers, 'location') ?? '/';
  const { pathname } = URL.canParse(location, request.url.href)
    ? new URL(location, request.url)
    : { pathname: '/' };
  return wordsIn(pathname);
}

/** A path up to the first part that could be a value. */
function wordsIn(path: string): string {
  const parts = path.split('/').slice(1);
  const end = parts.findIndex((part) => part === '' || !isWord(part));
  return `/${(end < 0 ? parts : parts.slice(0, end)).join('/')}`;
}

const pattern = (path: string) =>
  `^(?:https?://[^/]+)?${path.replace(/[.]/g, '\\.')}${path === '/' ? '(?:$|[?#])' : ''}`;
