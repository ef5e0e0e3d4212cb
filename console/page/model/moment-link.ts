/** A situation as a link: the moment stands behind the `#` of the address, so no server ever sees it. */
import type { Moment } from '../../api.ts';

const NAME = 'moment';

export function linkTo(moment: Moment, page: string): string {
  const url = new URL('.', page);
  url.hash = `${NAME}=${encodeURIComponent(JSON.stringify(moment))}`;
  return url.href;
}

/** Returns the moment of an address. Undefined where it has none, or one of another version. */
export function momentIn(address: string): Moment | undefined {
  try {
    const text = new URLSearchParams(new URL(address).hash.slice(1)).get(NAME);
    const moment = text === null ? undefined : (JSON.parse(text) as Moment);
    return moment?.version === 1 ? moment : undefined;
  } catch {
    return undefined;
  }
}
