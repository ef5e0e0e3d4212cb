/** Finds values in the form of a session in an answer that is to open none: a refused code, a logout. */
import { tryJson } from '#protocol/wire/json.ts';
import type { Values } from '../../../../engine/journal/entry.ts';
import { type Places, valuesFrom } from '../../../../engine/party/requests/read-answer.ts';
import type { Answer } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';
import type { CarriedSession } from '../adapter.ts';

/** Limits the values that are tried, so that a careful server does not take them for an attack. */
const MAX_CARRIED = 3;

/** Session tokens are hardly shorter, nor have they blanks. */
const TOKEN_SHAPE = /^[\w.~+/=:-]{16,}$/;

/** A session that an answer may carry, with the values that its sign-in would have kept. */
export type Carried = CarriedSession & { kept: Values };

/**
 * Returns what stands where a success has user, token and kept values, then other values in the form of a
 * token. Values that were sent, such as a challenge, are no session.
 */
export function carriedSessions(
  { extract, keep }: { extract: Places; keep: Places },
  answer: Answer,
  variables: Variables,
): Carried[] {
  const known = new Set(Object.values(variables));
  const found = (places: Places) =>
    Object.fromEntries(
      Object.entries(valuesFrom(readPlaces(places), answer, variables)).filter(
        ([, value]) => !known.has(value),
      ),
    );
  const [{ user, token }, kept] = [found({ user: extract.user, token: extract.token }), found(keep)];
  const inPlace = token ?? Object.values(kept)[0];
  const others = textsIn(answer).filter(
    (text) => TOKEN_SHAPE.test(text) && !known.has(text) && text !== user,
  );
  const all = [
    ...(inPlace === undefined ? [] : [{ token: inPlace, kept }]),
    ...[...new Set(others)]
      .filter((text) => text !== inPlace)
      .map((text) => ({
        token: text,
        kept: Object.fromEntries(Object.keys(keep).map((name) => [name, text])),
      })),
  ];
  return all.slice(0, MAX_CARRIED).map((each) => ({ ...each, ...(user !== undefined && { user }) }));
}

/** The places that are read from an answer. */
const readPlaces = (places: Places): Places =>
  Object.fromEntries(
    Object.entries(places).filter(([, place]) => typeof place !== 'object' || !('value' in place)),
  );

/** The texts in the JSON body, and the values of cookies. */
function textsIn({ headers, text }: Answer): string[] {
  const cookies = headers.getSetCookie().map((line) => /^[^=]*=([^;]*)/.exec(line)?.[1] ?? '');
  return [...cookies, ...scalarsIn(tryJson(text)?.value)];
}

function scalarsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(scalarsIn) : [];
}
