/** Tells by what a step shows who calls: the user, the token, or a kept value such as a cookie. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import { isAbsent, isManual, isRpc } from '../../../../engine/party/file/step-schema.ts';
import type { LoadedAdapter } from '../file/load.ts';

export type WhoCalls = {
  /** True when the request names the user. Otherwise the token or a kept value alone identifies the user. */
  user: boolean;
  /** True when a value of `keep`, such as a cookie, identifies the session and the token is not sent. */
  kept: boolean;
};

/** Assumes user and token where the file describes no request. */
export function whoCalls({ settings, wrap }: LoadedAdapter, name: StepName): WhoCalls {
  const step = settings.steps[name];
  if (
    wrap ||
    step === undefined ||
    isAbsent(step) ||
    isManual(step) ||
    (isRpc(step) && step.cred === 'session')
  )
    return { user: true, kept: false };
  // Only the request counts: `extract` and `keep` are about the answer.
  const { extract: _given, keep: _kept, ...sent } = step;
  const text = JSON.stringify(sent);
  return { user: /\$\{user\??\}/.test(text), kept: !/\$\{token\??\}/.test(text) && text.includes('${keep.') };
}
