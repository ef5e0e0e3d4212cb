/** Finds what looks like a session token in an answer that must not open a session. Checks try it. */
import { tryJson } from '#protocol/wire/json.ts';
import type { Values } from '../../../../engine/journal/entry.ts';
import { type Places, valuesFrom } from '../../../../engine/party/requests/read-answer.ts';
import type { Answer } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';
import type { CarriedSession } from '../adapter.ts';

/** Limits the values that are tried for one answer: a careful server takes many tries for an attack. */
const MAX_CARRIED = 3;

/** The form of a session token: hardly any token has fewer than 16 characters, and none has blanks. */
const TOKEN_SHAPE = /^[\w.~+/=:-]{16,}$/;

export type Carried = CarriedSession & { kept: Values };

/** First what stands where a sign-in has its token, then other tokens; nothing that the request sent. */
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
  return all.slice(0, MAX_CARRIED).map((found) => ({ ...found, ...(user !== undefined && { user }) }));
}

const readPlaces = (places: Places): Places =>
  Object.fromEntries(
    Object.entries(places).filter(([, place]) => typeof place !== 'object' || !('value' in place)),
  );

function textsIn({ headers, text }: Answer): string[] {
  const cookies = headers.getSetCookie().map((line) => /^[^=]*=([^;]*)/.exec(line)?.[1] ?? '');
  return [...cookies, ...scalarsIn(tryJson(text)?.value)];
}

function scalarsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(scalarsIn) : [];
}
