/** How a step tells the server which user calls. */
import type { StepName } from '../../../../engine/journal/entry.ts';
import { isAbsent, isManual, isRpc } from '../../../../engine/party/file/step-schema.ts';
import type { LoadedAdapter } from '../file/load.ts';

export type WhoCalls = {
  /** The step names the user; without this a bearer token alone identifies them. */
  user: boolean;
  /** A kept value, such as a cookie, shows the session; the token is not sent. */
  kept: boolean;
};

/** Assumes user and token for manual steps and for modules that perform steps in their own way. */
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
  const { extract: _given, keep: _kept, ...sent } = step;
  const text = JSON.stringify(sent);
  return { user: /\$\{user\??\}/.test(text), kept: !/\$\{token\??\}/.test(text) && text.includes('${keep.') };
}
