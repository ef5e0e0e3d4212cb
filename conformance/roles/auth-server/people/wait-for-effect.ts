/** Manual steps: a person performs them, and the kit continues when it sees the effect on the wire. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Entry, ExchangeEntry, StepName, Values } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';

/**
 * Resolves when the effect of `step` has crossed the wire, to the values learned from it:
 * - confirmOtp, exchangeToken: a call of the authorization server with authInfo that the EHR server accepted.
 * It shows the user and the token of the session, and for a save also the exchange token.
 * - reportLink: save_auth_info, accepted.
 * - the others: any answer of the authorization server to the client.
 */
export function waitForEffect(recorder: Recorder) {
  return (step: StepName, signal: AbortSignal): Promise<Values> =>
    new Promise((resolve) => {
      const forget = recorder.onEntry((entry) => {
        const values = effectOf(step, entry);
        if (!values) return;
        forget();
        resolve(values);
      });
      // The caller learns of the abort by other means.
      signal.addEventListener('abort', forget, { once: true });
    });
}

function effectOf(step: StepName, entry: Entry): Values | undefined {
  if (entry.kind !== 'exchange') return undefined;
  switch (step) {
    case 'confirmOtp':
      return acceptedAuthInfo(entry);
    case 'exchangeToken':
      return entry.facts.call?.method === 'embedded_storage.save_exchange_token'
        ? acceptedAuthInfo(entry)
        : undefined;
    case 'reportLink':
      return entry.facts.call?.method === 'embedded_storage.save_auth_info'
        ? acceptedAuthInfo(entry)
        : undefined;
    default:
      return entry.link === 'client->auth' && entry.response !== undefined ? {} : undefined;
  }
}

function acceptedAuthInfo({ link, facts, request }: ExchangeEntry): Values | undefined {
  if (link !== 'auth->ehr' || !facts.reply?.result || !facts.call?.authInfo) return undefined;
  const { params } = JSON.parse(request.body) as { params: Record<string, unknown> };
  const info = isObject(params.authInfo) ? params.authInfo : {};
  const values: Record<string, string> = {};
  for (const [name, value] of [
    ['user', info.user],
    ['token', info.token],
    ['exchangeToken', params.exchangeToken],
  ] as const) {
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}
