/** By what a step tells the server who calls. */
import type { StepName } from '../journal/entry.ts';
import type { LoadedAdapter } from './load.ts';
import { isAbsent, isManual, isRpc } from './step-schema.ts';

export type WhoCalls = {
  /** It names the user; a bearer token alone says who that is. */
  user: boolean;
  /** The session is shown by a kept value, such as a cookie, and its token is not sent. */
  kept: boolean;
};

/** Of a module with its own way, and of a person, it is assumed that user and token are sent. */
export function whoCalls({ settings, wrap }: LoadedAdapter, name: StepName): WhoCalls {
  const step = settings.steps[name];
  if (wrap || step === undefined || isAbsent(step) || isManual(step) || (isRpc(step) && step.cred === 'session'))
    return { user: true, kept: false };
  const { extract: _given, keep: _kept, ...sent } = step;
  const text = JSON.stringify(sent);
  return { user: /\$\{user\??\}/.test(text), kept: !/\$\{token\??\}/.test(text) && text.includes('${keep.') };
}
