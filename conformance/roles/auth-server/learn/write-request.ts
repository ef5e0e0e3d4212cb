/** Writes the request of a step with templates such as `${token}` in the place of recorded values. */
import { isObject } from '#protocol/wire/envelope.ts';
import { isNumber } from '#protocol/wire/json.ts';
import {
  headerIn,
  isSecretLike,
  type SeenValue,
  withoutScheme,
  wordsOf,
} from '../../../engine/learn/exchange.ts';
import type { Extraction } from '../../../engine/party/file/step-schema.ts';
import { type AnswerPlace, answerPlace, isRefusedAttempt } from './find-sign-in.ts';
import type { ClientStep, Findings } from './find-steps.ts';
import { inventedFor, isHarmless } from './private-values.ts';
import type { ClientCall } from './read-calls.ts';

export type RequestText = Record<string, unknown>;

type KnownValue = { value: string; template: string };

type KeptValue = { variable: string; owner: ClientStep; giver: ClientCall; at: AnswerPlace };

/** Texts shorter than this are replaced only where they are the whole value. */
const MIN_PART_CHARS = 6;

/** Makes templates for all steps of a recording. The steps must come in the order of time. */
export class Templates {
  readonly #findings: Findings;
  readonly keeps = new Map<ClientStep, Record<string, Extraction>>();
  readonly invented = new Map<ClientStep, string[]>();
  readonly leftOut = new Map<ClientStep, string[]>();
  readonly variables = new Set<string>();
  readonly isSessionHidden: boolean;
  readonly hasPlus: boolean;
  readonly #phones: readonly KnownValue[];
  readonly #kept = new Map<string, KeptValue>();

  constructor(findings: Findings) {
    this.#findings = findings;
    const { token, credentials } = findings.signIn;
    this.isSessionHidden = token?.place.in === 'json' && credentials.length === 0;
    const digits = digitsOf(findings.signIn.phone);
    const spellings = new Set(
      findings.calls.flatMap(({ sent }) =>
        sent.map(({ value }) => value).filter((value) => digits !== '' && digitsOf(value) === digits),
      ),
    );
    // A user that is named by the phone is so without the plus, unless the EHR server is sent one.
    const isPlain = isPhone(findings.user.place) && !findings.ehr.user?.startsWith('+');
    const haveOne = [...spellings].every((spelling) => spelling.startsWith('+'));
    this.hasPlus = spellings.size > 0 && haveOne && !isPlain;
    this.#phones = [...spellings].map((value) => ({
      value,
      template: value.startsWith('+') && !this.hasPlus ? '+${phone}' : '${phone}',
    }));
  }

  of(step: ClientStep, call: ClientCall, { value, name, place }: SeenValue): string {
    const known = this.#knownIn(step).filter((each) => isMeant(each, name, place.in));
    const whole = known.find((each) => each.value === value);
    if (whole) return whole.template;
    const replaced = known
      .filter((each) => each.value.length >= MIN_PART_CHARS)
      .reduce((text, each) => text.replaceAll(each.value, each.template), value);
    if (replaced !== value && isPlain(replaced)) return replaced;
    const kept = this.#keep(step, call, value, name);
    if (kept !== undefined) return `\${keep.${kept}}`;
    if (isHarmless(value, name)) return value.replaceAll('${', () => '$${');
    this.#note(this.invented, step, name || `the ${place.in}`);
    return inventedFor(value);
  }

  /** Notes a header that is not written, because its value is not known and may be a secret. */
  leaveOut(step: ClientStep, header: string): void {
    this.#note(this.leftOut, step, header);
  }

  variableFor(header: string): string {
    const variable = `AUTH_${header.replace(/\W/g, '_').toUpperCase()}`;
    this.variables.add(variable);
    return variable;
  }

  #note(map: Map<ClientStep, string[]>, step: ClientStep, name: string): void {
    map.set(step, [...new Set([...(map.get(step) ?? []), name])]);
  }

  /** The template of a value that is known or was given before; undefined for others, such as a statistic's. */
  ofGiven(step: ClientStep, call: ClientCall, { value, name }: Omit<SeenValue, 'place'>): string | undefined {
    const whole = this.#knownIn(step).find((each) => each.value === value);
    const kept = whole ? undefined : this.#keep(step, call, value, name);
    return whole?.template ?? (kept && `\${keep.${kept}}`);
  }

  #knownIn(step: ClientStep): KnownValue[] {
    const { signIn, userSign, user } = this.#findings;
    const isSignIn = step === 'requestOtp' || step === 'confirmOtp';
    const known: KnownValue[] = [
      ...this.#phones,
      ...(step === 'confirmOtp' ? signIn.codes.map((value) => ({ value, template: '${code}' })) : []),
      ...(isSignIn ? [] : signIn.tokens.map((value) => ({ value, template: '${token}' }))),
      ...(isSignIn || user.value === undefined ? [] : [{ value: user.value, template: '${user}' }]),
    ];
    if (userSign !== undefined && step === 'confirmOtp')
      known.push({ value: userSign, template: '${userSign?}' });
    if (userSign !== undefined && step === 'reportLink')
      known.push({ value: userSign, template: '${userSign}' });
    return known.toSorted((a, b) => b.value.length - a.value.length);
  }

  /** The name under which an earlier step keeps this value; undefined where none gave it. */
  #keep(step: ClientStep, call: ClientCall, value: string, name: string): string | undefined {
    const already = this.#kept.get(value);
    if (already && already.owner !== step && isBefore(already.owner, step)) return already.variable;
    const giver = giverOf(this.#findings, { step, call, value });
    if (!giver || !isDynamic(value, name, giver.at)) return undefined;
    const { owner, at } = giver;
    const variable = already?.variable ?? this.#likeIt(giver) ?? this.#nameFor(at.name);
    this.keeps.set(owner, { ...this.keeps.get(owner), [variable]: at.place });
    this.#kept.set(value, { variable, owner, giver: giver.call, at });
    return variable;
  }

  /** The name of another value that stood at the same place of the same kind of answer. */
  #likeIt({ call, at }: Giver): string | undefined {
    return [...this.#kept.values()].find(
      (other) =>
        other.giver.title === call.title && JSON.stringify(other.at.place) === JSON.stringify(at.place),
    )?.variable;
  }

  #nameFor(name: string): string {
    const [first = 'value', ...others] = wordsOf(name).split(' ');
    const joined = [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join(
      '',
    );
    const base = /^[a-z]/i.test(joined) ? joined : `v${joined}`;
    const taken = [...this.#kept.values()].map(({ variable }) => variable);
    return taken.includes(base) ? `${base}${taken.length + 1}` : base;
  }
}

const isPhone = (place: Extraction) => typeof place === 'object' && 'value' in place;

const digitsOf = (text: string) => (/^\+?[\d\s().-]+$/.test(text) ? text.replace(/\D/g, '') : '');

/** A user such as `15` is meant only where a name says so, as other numbers may be equal. */
const isMeant = ({ value, template }: KnownValue, name: string, where: SeenValue['place']['in']): boolean =>
  template !== '${user}' || value.length >= 4 || where === 'path' || USER_NAME.test(wordsOf(name));

const USER_NAME = /\b(?:user|uid|id|sub|account|person|patient|client|member|customer|owner)\b/;

/** Whether nothing stands beside the templates but words such as `tel:`. */
const isPlain = (text: string) => /^[a-zA-Z:;,.+=/&_ -]{0,40}$/.test(text.replace(/\$\{[^}]+\}/g, ''));

/** Whether a value is drawn by the server, and not a word that stands in many places. */
function isDynamic(value: string, sentAs: string, at: AnswerPlace): boolean {
  if (isSecretLike(value)) return true;
  const words = wordsOf(sentAs);
  const isSameName = words === wordsOf(at.name);
  if (isSameName && /^[01]$/.test(value)) return /\bid\b/.test(words);
  return (
    (isSameName && (/^\d+$/.test(value) || !isHarmless(value, sentAs))) || (sentAs === '' && /\d/.test(value))
  );
}

type Giver = { call: ClientCall; at: AnswerPlace; owner: ClientStep };

const GIVING = ['requestOtp', 'confirmOtp', 'exchangeToken'] as const;

/** Finds the earlier step whose answer gives a value; undefined where the client had it first. */
function giverOf(
  { calls, signIn, steps }: Findings,
  { step, call, value }: { step: ClientStep; call: ClientCall; value: string },
): Giver | undefined {
  const givers = calls
    .filter((each) => each.number < call.number && each.isAnswered && !isRefusedAttempt(each, signIn))
    .flatMap((each): Giver[] => {
      const owner = GIVING.find((name) => steps[name]?.call.title === each.title);
      const at = owner && owner !== step && isBefore(owner, step) ? answerPlace(each, value) : undefined;
      return owner && at ? [{ call: each, at, owner }] : [];
    });
  const [first] = givers;
  const sender = calls.find(({ sent }) => sent.some((each) => each.value === value));
  return first && sender && sender.number <= first.call.number ? undefined : givers.at(-1);
}

function isBefore(first: ClientStep, second: ClientStep): boolean {
  if (first === second || first === 'requestOtp') return true;
  if (first === 'confirmOtp') return second !== 'requestOtp';
  return first === 'exchangeToken' && second === 'reportLink';
}

type Writing = { step: ClientStep; call: ClientCall; templates: Templates };

export function requestText(writing: Writing, origin: string): RequestText {
  const { call } = writing;
  const address = addressText(writing, origin);
  const headers = headersText(writing);
  const withHeaders = Object.keys(headers).length > 0 ? { headers } : {};
  const cred = call.rpc?.cred;
  // The kit writes cred with user and token; a server with another one is called by plain HTTP.
  if (call.rpc && (cred === undefined || cred === null || isSession(cred))) {
    const params = jsonText(writing, call.rpc.params, 'params');
    return {
      rpc: call.rpc.method,
      ...(isEmpty(params) ? {} : { params }),
      ...(isSession(cred) ? { cred: 'session' } : {}),
      ...('path' in address && address.path === '/' ? {} : address),
      ...withHeaders,
    };
  }
  return { method: call.exchange.request.method, ...address, ...withHeaders, ...bodyText(writing) };
}

const isSession = (cred: unknown) => isObject(cred) && Object.keys(cred).sort().join() === 'token,user';
const isEmpty = (params: unknown) =>
  params === undefined || (isObject(params) && Object.keys(params).length === 0);

function addressText(writing: Writing, origin: string): { path: string } | { url: string } {
  const { url } = writing.call.exchange.request;
  const segments = writing.call.path.map(({ part, isWord }, index) => {
    const template = isWord ? part : templateOf(writing, part, '', { in: 'path', key: String(index) });
    return encoded(template);
  });
  const query = [...url.searchParams].map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encoded(templateOf(writing, value, name, { in: 'query', key: name }))}`,
  );
  const path = `/${segments.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return url.origin === origin ? { path } : { url: `${url.origin}${path}` };
}

/** Encodes what stands between templates, but no colon. The kit encodes the values itself. */
const encoded = (template: string) =>
  template
    .split(/(\$\{[^}]+\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part).replaceAll('%3A', ':')))
    .join('');

const PASSED_OVER =
  /^(?:host|connection|content-length|content-type|accept|accept-.*|user-agent|sec-.*|origin|referer|cookie|pragma|cache-control|dnt|te|if-.*|priority|upgrade.*|traceparent|tracestate|x-request-id|x-correlation-id|sentry-trace|baggage|x-forwarded-.*|via|forwarded|keep-alive|proxy-.*|range|from|expect)$/;

function headersText(writing: Writing): RequestText {
  const { step, call, templates } = writing;
  const { headers, cookies, body } = call.exchange.request;
  const written: RequestText = {};
  const type = headerIn(headers, 'content-type') ?? '';
  if (body.kind !== 'none' && body.kind !== 'form' && !/^application\/json\b/.test(type) && type !== '')
    written['Content-Type'] = type.split(';')[0] as string;
  for (const [name, header] of headers) {
    const value = withoutScheme(header);
    const sent: SeenValue = { value, name, place: { in: 'header', key: name } };
    if (PASSED_OVER.test(name)) continue;
    if (templates.ofGiven(step, call, sent) !== undefined || isHarmless(value, name))
      written[name] = header.replace(value, () => templates.of(step, call, sent));
    else if (
      /key|secret|client|^authorization$/.test(name) &&
      (name !== 'authorization' || /^Basic /i.test(header))
    )
      written[name] = { env: templates.variableFor(name) };
    else templates.leaveOut(step, name);
  }
  const isLost = templates.isSessionHidden && step !== 'requestOtp' && step !== 'confirmOtp';
  if (isLost) written.Authorization = 'Bearer ${token}';
  const sentCookies = cookies.flatMap(([name, value]) => {
    const template = templates.ofGiven(step, call, { value, name });
    return template === undefined ? [] : [`${name}=${template}`];
  });
  return { ...written, ...(sentCookies.length > 0 && { Cookie: sentCookies.join('; ') }) };
}

function bodyText(writing: Writing): RequestText {
  const { body } = writing.call.exchange.request;
  if (body.kind === 'json') return { json: jsonText(writing, body.json, '') };
  if (body.kind === 'form')
    return {
      form: Object.fromEntries(
        body.fields.map(([name, value]) => [
          name,
          templateOf(writing, value, name, { in: 'form', key: name }),
        ]),
      ),
    };
  if (body.kind !== 'text') return {};
  return { body: templateOf(writing, body.text, '', { in: 'text', key: '' }) };
}

function jsonText(writing: Writing, json: unknown, name: string): unknown {
  if (Array.isArray(json)) return json.map((item) => jsonText(writing, item, name));
  if (isObject(json))
    return Object.fromEntries(
      Object.entries(json).map(([key, member]) => [key, jsonText(writing, member, key)]),
    );
  const isSign = /\bsign(?! (?:in|up|out)\b)/.test(wordsOf(name));
  if (writing.step === 'confirmOtp' && (json === null || json === '') && isSign) return '${userSign?}';
  if (typeof json !== 'string' && !isNumber(json)) return json;
  const template = templateOf(writing, String(json), name, { in: 'json', key: name });
  return typeof json === 'number' && /^-?\d+(?:\.\d+)?$/.test(template) ? Number(template) : template;
}

const templateOf = (
  { step, call, templates }: Writing,
  value: string,
  name: string,
  place: SeenValue['place'],
): string => templates.of(step, call, { value, name, place });
