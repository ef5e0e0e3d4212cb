/** What the script of a case of an authorization server has beside its calls. */

import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { controlOrigin } from '../../../engine/case/control-origin.ts';
import type { Flow } from '../../../engine/case/flow.ts';
import { headOf } from '../../../engine/case/head.ts';
import { quoted } from '../../../engine/case/js-text.ts';
import type { ScriptParts } from '../../../engine/case/script.ts';
import { serverFunctions } from '../../../engine/case/text/server-functions.ts';
import type { Told } from '../../../engine/case/told.ts';
import type { Inner, TracedCall } from '../../../engine/case/trace/traced-call.ts';
import type { FaultName } from '../../../engine/journal/entry.ts';
import type { AdapterSettings } from '../adapter/file/schema/schema.ts';
import { codeFunctions, ehrFunctions, messageFunctions } from './other-parties.ts';

/** Ports at which the script listens. */
export type ScriptPorts = { ehr: number; sms: number };

/** The parts of a script for the server of these settings, whose ports are filled in. */
export function partsOf(settings: AdapterSettings, ports: ScriptPorts, told: Told): ScriptParts {
  const { otp, people, ehr } = settings;
  const source = otp?.sink ? 'sink' : otp?.outbox ? 'outbox' : otp?.fixed ? 'fixed' : 'ask';
  const patterns = [people.phones, people.unknown].filter((each) => typeof each === 'string');
  return {
    head: headOf(told, [
      'The authorization server is the party that is tested. This script plays the others: its client, the',
      `EHR server that it calls${source === 'sink' ? ', and the SMS gateway to which it sends the codes' : ''}.`,
      '',
      `Before: start the server so that it finds the EHR server at http://127.0.0.1:${ports.ehr}`,
      ...(ehr.apiVersion === '' ? [] : [`(with the version ${ehr.apiVersion} in the path)`]),
      ...(source === 'sink' ? [`and its SMS gateway at http://127.0.0.1:${ports.sms}.`] : []),
      'Set INTERNAL_PASSWORD to the password with which it authenticates itself there.',
    ]),
    constants: constantsOf(settings, ports, source),
    // The phone without a correspondence entry is one of the pattern, and no other one is like it.
    drawnBy: (phone) =>
      phone === people.withoutCorrespondence ? undefined : patterns.find((pattern) => fits(phone, pattern)),
    functions: {
      ...serverFunctions,
      ...ehrFunctions,
      codeTo: codeFunctions[source],
      ...messageFunctions[source],
    },
    open: openText(source === 'sink'),
    callOf: (call, flow, index) => (call.link === 'client->ehr' ? ehrCall(call, flow, index) : undefined),
    before: ({ inner, gateway, phone = '' }, flow, index) => [
      ...disturbances(inner),
      ...(gateway === undefined ? [] : [`gateway.set(${flow.textOf(phone, index)}, ${quoted(gateway)});`]),
    ],
    after: ({ gateway }) => [gateway === undefined ? 'disturbed.clear();' : 'gateway.clear();'],
    urlOf: addressOf,
  };
}

const fits = (phone: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll(/\D/g, (char) => (char === '#' ? '\\d' : ''))}$`).test(phone);

function constantsOf(
  { server, internal, otp, timeouts, ehr, steps }: AdapterSettings,
  ports: ScriptPorts,
  source: string,
): string {
  const origin = new URL(server.url).origin;
  const pattern = otp?.sink?.pattern ?? otp?.outbox?.pattern;
  const box = otp?.outbox;
  const url = box && (box.request.url ?? `${server.url.replace(/\/+$/, '')}${box.request.path ?? '/'}`);
  return [
    `const SERVER = process.env.SERVER ?? '${origin}';`,
    `const CONTROL = process.env.CONTROL ?? '${controlOf(steps) ?? origin}';`,
    `const HOST = process.env.HOST ?? '${ehr.host}';`,
    `const EHR_PORT = Number(process.env.EHR_PORT ?? ${ports.ehr});`,
    ...(source === 'sink' ? [`const SMS_PORT = Number(process.env.SMS_PORT ?? ${ports.sms});`] : []),
    `const USER = ${quoted(internal.user)};`,
    'const PASSWORD = process.env.INTERNAL_PASSWORD;',
    `const TIMEOUT_MS = ${timeouts.patienceMs + 1_000};`,
    `const CODE = ${pattern === undefined ? String.raw`/(?<!\d)\d{4,8}(?!\d)/` : new RegExp(pattern, 'u')};`,
    ...(box && url
      ? [
          `const OUTBOX = ${JSON.stringify({ url: url.replace(origin, 'SERVER').replace(/\$\{phone\}/g, 'PHONE'), method: box.request.method, list: box.list, newestFirst: box.order === 'newest-first', to: box.to, code: box.code, text: box.text })};`.replace(
            '"SERVER',
            'SERVER + "',
          ),
        ]
      : []),
  ].join('\n');
}

/** The environment variables that lead a script to the server of these settings. */
export function environmentOf({ server, internal, otp, steps }: AdapterSettings, ports: ScriptPorts) {
  const SERVER = new URL(server.url).origin;
  return {
    ...{ SERVER, CONTROL: controlOf(steps) ?? SERVER, INTERNAL_PASSWORD: internal.password },
    ...{ EHR_PORT: String(ports.ehr), SMS_PORT: String(ports.sms) },
    ...(otp?.fixed && { CODE: otp.fixed.code }),
  };
}

/** Where the helpers of the test set-up are, such as the one that moves the clock. */
const controlOf = ({
  advanceClock,
  removeCorrespondence,
  expireSession,
  restart,
}: AdapterSettings['steps']) => controlOrigin([advanceClock, removeCorrespondence, expireSession, restart]);

const openText = (hasSms: boolean) => `
async function open() {
  const servers = [await listen(serveEhr, EHR_PORT)${hasSms ? ', await listen(serveSms, SMS_PORT)' : ''}];
  return () => closeAll(servers);
}`;

/** The address of a call: below SERVER, or below CONTROL for what the test set-up alone offers. */
function addressOf({ request, link }: TracedCall, flow: Flow, index: number): string {
  if (link !== 'helper') return `SERVER + ${flow.textOf(request.path, index)}`;
  const url = new URL(request.path);
  return `CONTROL + ${flow.textOf(url.pathname + url.search, index)}`;
}

/** A call of the client to the EHR server, which the script plays itself. */
function ehrCall({ label, request, response }: TracedCall, flow: Flow, index: number): string {
  const call = tryJson(request.body)?.value;
  if (!isObject(call)) return `ehr(${quoted(label)}, '', {})`;
  const { exchangeToken } = isObject(call.params) ? call.params : {};
  const sign = /"user_sign":"([^"]+)"/.exec(response?.body ?? '')?.[1];
  const bytes = sign === undefined ? 32 : Math.floor((sign.length * 3) / 4);
  const params = {
    ...(exchangeToken !== undefined && { exchangeToken }),
    ...(bytes !== 32 && { signBytes: bytes }),
  };
  const cred = isObject(call.cred) ? `, ${flow.jsonOf(call.cred, index)}` : '';
  return `ehr(${quoted(label)}, '${String(call.method)}', ${flow.jsonOf(params, index)}${cred})`;
}

/** The lines that have the EHR server answer otherwise during a call, as it did in the run. */
function disturbances(inner: readonly Inner[]): string[] {
  const byMethod = new Map<string, (string | undefined)[]>();
  for (const each of inner) {
    const call = tryJson(each.request.body)?.value;
    const method = isObject(call) ? String(call.method) : '';
    byMethod.set(method, [
      ...(byMethod.get(method) ?? []),
      answerText(each, isObject(call) ? call.id : undefined),
    ]);
  }
  return [...byMethod].flatMap(([method, how]) =>
    how.some((each) => each !== undefined)
      ? [`disturb('${method}', ${how.map((each) => each ?? '{ isRight: true }').join(', ')});`]
      : [],
  );
}

/** Faults that begin with the right answer, so that the EHR server has done what it was asked. */
const AFTER_WORK = new Set(
  'wrong-id number-id string-id result-null result-empty more-members duplicate-members'.split(' '),
);

/** Faults in how the right answer is sent: how the script says them. */
const WAYS: Readonly<Partial<Record<FaultName, string>>> = {
  'reply-lost': 'isRight: true, lost: true',
  truncate: 'isRight: true, half: true',
  'split-reply': 'isRight: true, inParts: true',
  gzip: 'isRight: true, packed: true',
  huge: 'isRight: true, padded: true',
  trickle: 'trickle: true',
  hang: 'silent: true',
};

function answerText({ fault, response, broke, took }: Inner, id: unknown): string | undefined {
  if (fault === undefined) return undefined;
  const way = fault === 'late' ? `isRight: true, lateMs: ${Math.round(took)}` : WAYS[fault];
  if (way !== undefined) return `{ ${way} }`;
  if (!response) return broke === 'timeout' ? '{ silent: true }' : '{ close: true }';
  const right = AFTER_WORK.has(fault) ? 'isRight: true, ' : '';
  const type = response.headers.filter(
    ([name]) => /^(content-type|location)$/i.test(name) && !/application\/json/.test(name),
  );
  const headers = Object.fromEntries(type.map(([name, value]) => [name.toLowerCase(), value]));
  const text = JSON.stringify(id ?? null);
  const own =
    typeof id === 'string'
      ? response.body.replaceAll(text, '"§id§"').replaceAll(id, '§id§')
      : response.body.replaceAll(`"id":${text}`, '"id":"§id§"');
  return `{ ${right}status: ${response.status}, headers: ${JSON.stringify(headers)}, body: ${JSON.stringify(own)} }`;
}
