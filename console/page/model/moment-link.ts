/** A situation as a link: the moment stands behind the `#` of the address, so no server ever sees it. */
import type { Moment } from '../../api.ts';

const NAME = 'moment';

/** A moment, or of one that cannot be read its version; undefined: there is none. */
export type OpenedLink = { readonly moment: Moment } | { readonly version: number | undefined };

export function linkTo(moment: Moment, page: string): string {
  const url = new URL('.', page);
  url.hash = `${NAME}=${encodeURIComponent(JSON.stringify(moment))}`;
  return url.href;
}

/** Returns what the link of an address opens. Undefined where it names no moment. */
export function momentIn(address: string): OpenedLink | undefined {
  const text = new URLSearchParams(new URL(address).hash.slice(1)).get(NAME);
  return text === null ? undefined : openedFrom(text);
}

function openedFrom(text: string): OpenedLink {
  try {
    const content: unknown = JSON.parse(text);
    const { version, seed, scenario, step, movedMs, skewMs, faults } = Object(content) as Partial<Moment>;
    if (version !== 1) return { version: typeof version === 'number' ? version : undefined };
    const areNumbers = [seed, step, movedMs].every(Number.isInteger);
    const isNamed = scenario === null || typeof scenario === 'string';
    // The server reads the rest more closely.
    const isWhole = areNumbers && isNamed && typeof skewMs === 'object' && Array.isArray(faults);
    return isWhole ? { moment: content as Moment } : { version: undefined };
  } catch {
    return { version: undefined };
  }
}
