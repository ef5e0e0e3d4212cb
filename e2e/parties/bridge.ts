/** Lets any client use any authorization server: its adapter file translates each call. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { StepName, StepResult, Values } from '#conformance/engine/journal/entry.ts';
import { headerPairs } from '#conformance/engine/journal/headers.ts';
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import { type BoundServer, bindServer } from '#conformance/engine/wire/bind.ts';
import type { Adapter, StepInput } from '#conformance/roles/auth-server/adapter/adapter.ts';
import type { LoadedAdapter } from '#conformance/roles/auth-server/adapter/file/load.ts';
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { errorTable, isReason, type Reason } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { Calls } from '#testing/recording/calls.ts';

const STEPS: ReadonlyMap<string, StepName> = new Map<string, StepName>([
  ['auth.request_otp', 'requestOtp'],
  ['auth.confirm_otp', 'confirmOtp'],
  ['auth.exchange_token', 'exchangeToken'],
  ['auth.report_link', 'reportLink'],
  ['auth.logout', 'logout'],
  ['auth.delete_user', 'deleteUser'],
]);

/** They stand in for an answer that the server under test does not give. */
const CODE_DIGITS = 6;
const CODE_LIFETIME_SECONDS = 300;

/** Whether a server speaks as this project's own does, so that nothing is to be translated. */
export function isSpokenDirectly({ settings: { steps } }: LoadedAdapter): boolean {
  return [...STEPS].every(([method, name]) => {
    const step = steps[name];
    return step !== undefined && 'rpc' in step && step.rpc === method && !('absent' in step);
  });
}

export type BridgeParts = { adapter: Adapter; recorder: Recorder; calls: Calls; signal: AbortSignal };

export async function openBridge(parts: BridgeParts): Promise<BoundServer & { cut(isCut: boolean): void }> {
  const bridge = new Bridge(parts);
  const bound = await bindServer(
    createServer((request, response) => void bridge.answer(request, response)),
    '127.0.0.1',
    0,
  );
  return { ...bound, cut: (isCut) => bridge.cut(isCut) };
}

class Bridge {
  readonly #parts: BridgeParts;
  /** The phone of each session, which some servers ask for again. */
  readonly #phones = new Map<string, string>();
  #isCut = false;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const { method = '', url: path = '', httpVersion } = request;
    const headers = headerPairs(request.rawHeaders);
    const asked = { httpVersion, method, path, headers, body };
    const open = this.#parts.recorder.exchange({ link: 'client->auth', request: asked });
    if (this.#isCut) {
      open.end({ broke: 'refused' });
      request.socket.destroy();
      return;
    }
    const { status, text } = await this.#reply(body);
    const type: [string, string] = ['content-type', 'application/json'];
    open.end({ response: { status, headers: [type], body: text } });
    response.writeHead(status, Object.fromEntries([type])).end(text);
  }

  async #reply(body: string): Promise<{ status: number; text: string }> {
    const call = tryJson(body)?.value;
    if (!isObject(call)) return errorReply(null, 'method_not_found');
    const id = call.id ?? null;
    const step = STEPS.get(String(call.method));
    if (step === undefined) return errorReply(id, 'method_not_found');
    const params = membersOf(call.params);
    const input = this.#inputOf(params, membersOf(call.cred));
    const { adapter, signal } = this.#parts;
    const result = adapter.has(step) ? await adapter.perform(step, input, signal) : NOTHING_TO_DO;
    if (result.kind === 'failed') return { status: 502, text: '' };
    if (result.kind !== 'done') return errorReply(id, reasonOf(step, result), result);
    if (step === 'confirmOtp') this.#phones.set(result.values.token ?? '', input.phone ?? '');
    return reply({ jsonrpc: '2.0', result: this.#resultOf(step, result.values), id: textOf(id) });
  }

  #inputOf(params: Record<string, unknown>, cred: Record<string, unknown>): StepInput {
    const token = optional(cred.token);
    const phone = optional(params.phone) ?? (token === undefined ? undefined : this.#phones.get(token));
    const userSign = optional(params.ehr_user_sign ?? params.user_sign);
    const given = { phone, code: optional(params.code), user: optional(cred.user), token, userSign };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  }

  #resultOf(step: StepName, values: Values): Record<string, unknown> {
    switch (step) {
      case 'requestOtp': {
        const { otp } = this.#parts.adapter.settings;
        const expiresIn = otp?.lifetimeSeconds ?? CODE_LIFETIME_SECONDS;
        return { digits: CODE_DIGITS, expiresIn, resendAfter: otp?.resendAfterSeconds ?? 0 };
      }
      case 'confirmOtp': {
        const { user = '', token = '', ttl = '' } = values;
        return { authInfo: { user, token, ttl: Number(ttl) }, linked: this.#parts.calls.isSaved(token) };
      }
      case 'exchangeToken':
        return { exchangeToken: values.exchangeToken };
      default:
        return {};
    }
  }
}

const NOTHING_TO_DO: StepResult = { kind: 'done', values: {} };

/** A server of another make has its own reasons. The client is told the one that leads it on. */
function reasonOf(step: StepName, result: StepResult): Reason {
  if (result.kind !== 'refused') return 'method_not_found';
  if (isReason(result.reason)) return result.reason;
  if (step === 'requestOtp') return 'otp_throttled';
  if (step === 'confirmOtp') return 'otp_wrong';
  return result.status === 401 || result.status === 403 ? 'not_authorized' : 'ehr_refused';
}

function errorReply(id: unknown, reason: Reason, result?: StepResult): { status: number; text: string } {
  const { code, message } = errorTable[reason];
  const said =
    result?.kind === 'refused' && result.reason ? { errors: [`The server said ${result.reason}.`] } : {};
  return reply({ jsonrpc: '2.0', error: { code, message, data: { reason, ...said } }, id: textOf(id) });
}

const reply = (message: object) => ({ status: 200, text: JSON.stringify(message) });
const textOf = (id: unknown) => (id === null ? null : String(id));
const optional = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
