/** Writes the request of a step as an adapter file has it, of the call that was recorded. */
import { isObject } from '#protocol/wire/envelope.ts';
import {
  headerIn,
  type SeenValue,
  segmentsOf,
  withoutScheme,
  wordsOf,
} from '../../../../engine/learn/exchange.ts';
import { type ClientCall, isWord } from '../calls.ts';
import type { ClientStep } from '../steps.ts';
import { isHarmless, type Templates } from './template.ts';

export type RequestText = Record<string, unknown>;

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
  const segments = segmentsOf(url).map((part, index) => {
    const template = isWord(part) ? part : templateOf(writing, part, '', { in: 'path', key: String(index) });
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
    const isGiven = templates.isGiven(step, call, sent);
    if (isGiven || isHarmless(value, name))
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
    const template = templates.ofCookie(step, call, { value, name, place: { in: 'cookie', key: name } });
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
  if (typeof json !== 'string' && typeof json !== 'number') return json;
  const template = templateOf(writing, String(json), name, { in: 'json', key: name });
  return typeof json === 'number' && /^-?\d+(?:\.\d+)?$/.test(template) ? Number(template) : template;
}

const templateOf = (
  { step, call, templates }: Writing,
  value: string,
  name: string,
  place: SeenValue['place'],
): string => templates.of(step, call, { value, name, place });
