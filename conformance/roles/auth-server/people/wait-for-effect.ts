/** Manual steps: the kit goes on when it sees the effect of what a person does. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Entry, ExchangeEntry, StepName, Values } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';

/** The effect of a sign-in is an accepted call, of a report a save, of others any answer; from now on. */
export function waitForEffect(recorder: Recorder) {
  return (step: StepName, signal: AbortSignal): Promise<Values> =>
    new Promise((resolve) => {
      const forget = recorder.onEntry((entry) => {
        const values = effectOf(step, entry);
        if (!values) return;
        forget();
        resolve(values);
      });
      // The promise stays open after an abort: the caller watches the signal too.
      signal.addEventListener('abort', forget, { once: true });
    });
}

/** The values that an entry shows when it is the effect of the step; undefined when it is not. */
function effectOf(step: StepName, entry: Entry): Values | undefined {
  if (entry.kind !== 'exchange') return undefined;
  switch (step) {
    case 'confirmOtp':
      return acceptedAuthInfo(entry);
    case 'exchangeToken':
      return entry.facts.call?.method === SAVE_EXCHANGE_TOKEN ? acceptedAuthInfo(entry) : undefined;
    case 'reportLink':
      return entry.facts.call?.method === SAVE_AUTH_INFO ? acceptedAuthInfo(entry) : undefined;
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
