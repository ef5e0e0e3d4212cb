/** Values that one step yields for later ones, such as the number of a sign-in attempt or a cookie: each goes only where it belongs. */
import type { Values } from '../journal/entry.ts';
import type { StepInput } from './adapter.ts';

/**
 * Remembers values by the session, or, before there is one, by the phone. What came with a session is known only to who
 * shows its token, so that a call meant to be made without a session carries nothing of it.
 */
export class KeptValues {
  readonly #byPhone = new Map<string, Values>();
  readonly #bySession = new Map<string, Values>();

  /** The values for a step with this input, as variables: `keep.NAME`. */
  of({ phone, token }: StepInput): Record<string, string> {
    const kept = { ...this.#byPhone.get(phone ?? ''), ...this.#bySession.get(token ?? '') };
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [`keep.${name}`, value]));
  }

  /** @param token the session's, when the step had one or has opened one */
  keep(values: Values, phone: string | undefined, token: string | undefined): void {
    if (Object.keys(values).length === 0) return;
    const [map, key] = token === undefined ? [this.#byPhone, phone ?? ''] : [this.#bySession, token];
    map.set(key, { ...map.get(key), ...values });
  }
}
